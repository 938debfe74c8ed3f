jq '.containerDefinitions[0].image == ""' other.json
