// The web service.
local image = 'nginx:' + std.extVar('tag');
{
  family: 'web',
  containerDefinitions: [{ name: 'app', image: image, memory: 256 }],
}
