"""Real task definitions and templates, by what is known about them: a folder with manifest.csv and files/."""
import csv
import json

ONLY_TOLD = ("taskDefinitionArn", "revision", "status", "requiresAttributes", "compatibilities", "registeredAt", "registeredBy",
             "deregisteredAt", "deleteRequestedAt")


def without(absent, value):
    """Without the members whose value is that, wherever they are."""
    if isinstance(value, dict):
        return {key: without(absent, member) for key, member in value.items() if member != absent}
    return [without(absent, member) for member in value] if isinstance(value, list) else value


def as_input(value):
    """An answer of describe-task-definition without what RegisterTaskDefinition does not take: its own members, the nulls of
    some SDKs, and an empty list of tags."""
    answer = dict(value.get("taskDefinition", value))
    answer["tags"] = value.get("tags", answer.get("tags"))
    return without(None, {key: member for key, member in answer.items() if key not in ONLY_TOLD and (key != "tags" or member)})


class Corpus:
    """Real files, by what is known about them."""

    def __init__(self, folder):
        self.folder = folder
        with (folder / "manifest.csv").open(encoding="utf-8") as text:
            self.manifest = list(csv.DictReader(text))

    def files(self, **wanted):
        return [self.folder / "files" / row["file"] for row in self.manifest if all(row[key] == value for key, value in wanted.items())]

    def accepted(self, folder, change=lambda definition: definition):
        """Answers of ECS as input, written into the folder."""
        folder.mkdir()
        for file in self.files(pristine_describe="yes", parses="yes", format="json"):
            definition = change(as_input(json.loads(file.read_bytes())))
            (folder / file.name).write_text(json.dumps(definition, indent=2), encoding="utf-8")
        return sorted(folder.iterdir())

    def templates(self):
        return self.files(kind="cloudformation")
