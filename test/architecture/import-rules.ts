// Who may import whom, as rules of dependency-cruiser. Only tests import tests, and they may import everything.
import type { IForbiddenRuleType } from 'dependency-cruiser'

/** Folders and files of the server: each layer imports the layers below it, and of its own layer only itself. */
const SERVER_LAYERS = [
  ['main.ts'],
  ['app.ts', 'config/check.ts', 'lifecycle/operations.ts'],
  ['config/check', 'app-services.ts'],
  ['http', 'lifecycle', 'openapi', 'auth', 'access', 'proxy', 'portal'],
  ['inventory'],
  ['upstreams', 'schemas.ts', 'redis.ts'],
  // These know one another.
  ['observability', 'config', 'errors.ts', 'types.ts', 'http/limits.ts']
]

/** Starts the gateway against the sandbox, so it imports both. */
const DEMO = '^test/sandbox/demo\\.ts$'

/**
 * No import matches both `from` and `to` of a rule; `$1` is the first group of `from.path`.
 * @param featuresReadme its table has a line for each feature, which ends with what others may import beside `api.ts`
 */
export const forbiddenImports = (featuresReadme: string): IForbiddenRuleType[] => [
  { name: 'every import leads somewhere', from: {}, to: { couldNotResolve: true } },
  { name: 'shared imports only shared', from: { path: '^shared/' }, to: { pathNot: '^shared/' } },
  { name: 'the server knows no client', from: { path: '^server/' }, to: { path: '^(client|test)/' } },
  { name: 'the client knows no server', from: { path: '^client/' }, to: { path: '^(server|test)/' } },
  {
    name: 'across top folders, paths are named from the root',
    from: { path: '^(shared|server|client|test)/', pathNot: DEMO },
    to: { path: '^(shared|server|client|test)/', pathNot: '^$1/', dependencyTypesNot: ['aliased'] }
  },
  {
    name: 'within a top folder, paths are relative',
    from: { path: '^(shared|server|client)/' },
    to: { path: '^$1/', dependencyTypes: ['aliased'] }
  },
  {
    name: 'the sandbox knows types of shared only',
    from: { path: '^test/sandbox/', pathNot: '\\.test\\.ts$' },
    to: { path: '^shared/', dependencyTypesNot: ['type-only'] }
  },
  {
    name: 'only the demo knows the gateway',
    from: { path: '^test/sandbox/', pathNot: ['\\.test\\.ts$', DEMO] },
    to: { path: '^server/' }
  },
  {
    name: 'the sandbox knows no client and no tests',
    from: { path: '^test/sandbox/', pathNot: '\\.test\\.ts$' },
    to: { path: '^(client|test)/', pathNot: '^test/sandbox/' }
  },
  ...SERVER_LAYERS.flatMap((names, layer): IForbiddenRuleType[] => {
    const from = layerOf(names)
    const above = layerOf(SERVER_LAYERS.slice(0, layer).flat())
    const sibling = { ...from, pathNot: [...from.pathNot, '^server/$1(?:/|$)'] }
    const upwards = { name: `${names.join(', ')}: nothing above`, from, to: above }
    const sideways = { name: `${names.join(', ')}: each for itself`, from, to: sibling }
    if (layer === 0) return [sideways]
    return layer === SERVER_LAYERS.length - 1 ? [upwards] : [upwards, sideways]
  }),
  {
    name: 'every file of the server has a layer',
    from: { path: '^server/', pathNot: layerOf(SERVER_LAYERS.flat()).path },
    to: {}
  },
  { name: 'lib knows lib', from: { path: '^client/lib/' }, to: { path: '^client/(app|features|ui)/' } },
  { name: 'ui knows no feature', from: { path: '^client/ui/' }, to: { path: '^client/(app|features)/' } },
  { name: 'features know no app', from: { path: '^client/features/' }, to: { path: '^client/app/' } },
  {
    name: 'features know what others offer',
    from: { path: '^client/features/([^/]+)/' },
    to: {
      path: '^client/features/',
      pathNot: ['^client/features/$1/', '^client/features/[^/]+/api\\.ts$', ...offeredIn(featuresReadme)]
    }
  },
  {
    name: 'features make no cycle',
    scope: 'folder',
    from: { path: '^client/features/[^/]+$' },
    to: { path: '^client/features/[^/]+$', circular: true }
  },
  // The tree before features.
  {
    name: 'components know no data',
    from: { path: '^client/components/' },
    to: { path: '^client/(api|deeds|screens|session)/' }
  },
  {
    name: 'lib knows no component',
    from: { path: '^client/lib/' },
    to: { path: '^client/(api|deeds|screens|session|components)/' }
  },
  {
    name: 'api knows no screen',
    from: { path: '^client/api/' },
    to: { path: '^client/(deeds|screens|components)/' }
  },
  {
    name: 'session knows no screen',
    from: { path: '^client/session/' },
    to: { path: '^client/(deeds|screens)/' }
  },
  { name: 'deeds know no screen', from: { path: '^client/deeds/' }, to: { path: '^client/screens/' } },
  {
    name: 'screens know no other screens',
    from: { path: '^client/screens/([^/]+)' },
    to: { path: '^client/screens/', pathNot: '^client/screens/$1' }
  }
]

/** Matches what these names stand for, without the files that another layer claims. */
function layerOf(names: readonly string[]): { path: string; pathNot: string[] } {
  const claimed = SERVER_LAYERS.flat().filter((name) => name.includes('/') && !names.includes(name))
  return {
    path: `^server/(${names.join('|')})(?:/|$)`,
    pathNot: claimed.map((name) => `^server/${name}(?:/|$)`)
  }
}

/** ``| `devices` | … | `dialogs/move-devices`, `list/` |`` offers a file and a folder, `everything` all of them. */
function offeredIn(readme: string): string[] {
  return [...readme.matchAll(/^\| `([\w-]+)` \|.*\| (.+) \|$/gm)].flatMap(([, feature, offered = '']) => {
    if (offered === 'everything') return [`^client/features/${feature}/`]
    const names = [...offered.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    return names.map(
      (name) => `^client/features/${feature}/${name}${name.endsWith('/') ? '' : '(?:$|\\.ts$|\\.tsx$)'}`
    )
  })
}
