"""Turns a task definition into the CloudFormation template that declares it, for tools that read nothing else.

The keys follow our schema of a task definition; keys that it does not know get a capital letter like the others.
"""
import json

# What CloudFormation does not derive from the key by a capital letter, as src/importers/cloudformation_keys.cpp.
SPECIAL = {
    "efsVolumeConfiguration": "EFSVolumeConfiguration", "fsxWindowsFileServerVolumeConfiguration": "FSxWindowsFileServerVolumeConfiguration",
    "s3filesVolumeConfiguration": "S3FilesVolumeConfiguration", "iam": "IAM",
}
SPECIAL_OF = {("EFS volume", "fileSystemId"): "FilesystemId", ("proxy configuration", "properties"): "ProxyConfigurationProperties"}


class Templates:
    def __init__(self, schema):
        self.schema = json.loads(schema.read_text(encoding="utf-8"))

    def template(self, definition):
        properties = self.declared(definition, self.schema)
        return {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"Task": {"Type": "AWS::ECS::TaskDefinition", "Properties": properties}}}

    def declared(self, value, shape):
        shape = self.followed(shape)
        if isinstance(value, list):
            return [self.declared(member, shape.get("items", {})) for member in value]
        if not isinstance(value, dict) or isinstance(shape.get("additionalProperties"), dict):  # a map has keys of its user
            return value
        members = shape.get("properties", {})
        return {self.key(name, shape): self.declared(member, members.get(name, {})) for name, member in value.items()}

    def followed(self, shape):
        return self.schema["$defs"][shape["$ref"].rsplit("/", 1)[1]] if "$ref" in shape else shape

    def key(self, name, shape):
        return SPECIAL_OF.get((shape.get("title"), name)) or SPECIAL.get(name) or name[:1].upper() + name[1:]


def parsed(path):
    data = path.read_bytes()
    if path.suffix in (".yaml", ".yml"):
        import yaml
        return yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return json.loads(data)  # bytes: it finds UTF-8, UTF-16 and a byte order mark by itself
