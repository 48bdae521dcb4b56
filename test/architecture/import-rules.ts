// The import rules, for dependency-cruiser. Only tests import tests. Tests other than the sandbox may import everything.
import type { IForbiddenRuleType } from 'dependency-cruiser'

const SERVER_LAYERS = [
  ['main.ts'],
  ['app.ts', 'lifecycle/operations.ts'],
  ['doctor', 'secrets', 'app-services.ts'],
  ['http', 'lifecycle', 'openapi', 'auth', 'access', 'proxy', 'portal'],
  ['inventory'],
  ['replica-messages.ts'],
  ['redis-proof.ts'],
  ['upstreams', 'schemas.ts', 'redis.ts', 'redis-clock.ts'],
  // The entries of the last layer may import each other.
  [
    'observability',
    'config',
    'errors.ts',
    'error-causes.ts',
    'arguments.ts',
    'paging.ts',
    'route-facts.ts',
    'row-text.ts',
    'sort-in-steps.ts',
    'steps.ts',
    'types.ts',
    'usage-metrics.ts',
    'http/limits.ts'
  ]
]

const ANSWERS = '^shared/answers/'
/** The files that run in the inventory's worker thread. */
const WORKER = '^server/inventory/worker/'

/** The areas of features in their order: a feature imports none of a later area. */
const AREAS = ['sites', 'data', 'alarms', 'people', 'recover']
/** Features that belong to no area, after all areas. */
const WHOLE_FEATURES = ['device-details', 'jump']
/** A feature's folder below `client/features/`: an area and its name, or a name without an area. */
const FEATURE = `(?:${AREAS.join('|')})/[^/]+|${WHOLE_FEATURES.join('|')}`

const DEMO = '^test/sandbox/demo\\.ts$'
const SANDBOX = { path: '^test/sandbox/', pathNot: ['\\.test\\.ts$', DEMO] }

/**
 * Forbids each import that matches `from` and `to` of a rule. `$1` is the first group of `from.path`.
 * @param featuresReadme its table names the files that other features may import
 */
export const forbiddenImports = (featuresReadme: string): IForbiddenRuleType[] => [
  { name: 'every import resolves', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no barrels and no generic file names',
    from: { path: '/(index|utils?|helpers?|common|misc|managers?|services?|base)[./]', pathNot: '^test/' },
    to: {}
  },
  {
    name: 'shared imports only shared, and the offsets of time zones',
    from: { path: '^shared/', pathNot: ANSWERS },
    to: { pathNot: ['^shared/', '^node_modules/@date-fns/tz/tzOffset/'] }
  },
  {
    name: 'answers import only shared and TypeBox',
    from: { path: ANSWERS },
    to: { pathNot: ['^shared/', '^node_modules/typebox/'] }
  },
  {
    name: 'client and shared import only types of answers',
    from: { path: '^(client|shared)/', pathNot: ANSWERS },
    to: { path: ANSWERS, dependencyTypesNot: ['type-only'] }
  },
  { name: 'server imports no client', from: { path: '^server/' }, to: { path: '^(client|test)/' } },
  {
    name: 'client imports neither server nor TypeBox',
    from: { path: '^client/' },
    to: { path: '^(server|test|node_modules/typebox)/' }
  },
  {
    name: 'paths across top folders begin with #',
    from: { path: '^(shared|server|client|test)/', pathNot: DEMO },
    to: { path: '^(shared|server|client|test)/', pathNot: '^$1/', dependencyTypesNot: ['aliased'] }
  },
  {
    name: 'paths within a top folder are relative',
    from: { path: '^(shared|server|client)/' },
    to: { path: '^$1/', dependencyTypes: ['aliased'] }
  },
  {
    name: 'the sandbox imports only types of shared',
    from: SANDBOX,
    to: { path: '^shared/', dependencyTypesNot: ['type-only'] }
  },
  {
    name: 'the sandbox imports neither product nor tests',
    from: SANDBOX,
    to: { path: '^(server|client|test)/', pathNot: '^test/sandbox/' }
  },
  ...SERVER_LAYERS.flatMap((names, layer): IForbiddenRuleType[] => {
    const from = layerOf(names)
    const upperLayers = {
      name: `${names.join(', ')}: no imports from upper layers`,
      from,
      to: layerOf(SERVER_LAYERS.slice(0, layer).flat())
    }
    const sameLayer = {
      name: `${names.join(', ')}: no imports within the layer`,
      from,
      to: { ...from, pathNot: [...from.pathNot, '^server/$1(?:/|$)'] }
    }
    return [...(layer === 0 ? [] : [upperLayers]), ...(layer === SERVER_LAYERS.length - 1 ? [] : [sameLayer])]
  }),
  {
    name: 'only types of the worker thread leave its folder',
    from: { path: '^(server|client|shared)/', pathNot: WORKER },
    to: { path: WORKER, dependencyTypesNot: ['type-only'] }
  },
  {
    name: 'the worker thread imports from the main thread only types, its heartbeat and its messages',
    from: { path: WORKER },
    to: {
      path: '^server/inventory/',
      pathNot: [WORKER, '^server/inventory/(heartbeat|worker-messages)\\.ts$'],
      dependencyTypesNot: ['type-only']
    }
  },
  {
    name: 'every file of the server has a layer',
    from: { path: '^server/', pathNot: layerOf(SERVER_LAYERS.flat()).path },
    to: {}
  },
  {
    name: 'one file imports OpenTelemetry, and main.ts imports that file only when it is needed',
    from: { path: '^server/', pathNot: '^server/observability/opentelemetry\\.ts$' },
    to: {
      path: ['^node_modules/@opentelemetry/', '^server/observability/opentelemetry\\.ts$'],
      dynamic: false
    }
  },
  {
    name: 'lib imports only lib',
    from: { path: '^client/lib/' },
    to: { path: '^client/(app|features|ui)/' }
  },
  { name: 'ui imports no feature', from: { path: '^client/ui/' }, to: { path: '^client/(app|features)/' } },
  { name: 'features import no app', from: { path: '^client/features/' }, to: { path: '^client/app/' } },
  {
    name: 'features import only files that the README of features names',
    from: { path: `^client/features/(${FEATURE})/` },
    to: {
      path: '^client/features/',
      pathNot: [
        '^client/features/$1/',
        `^client/features/(?:${FEATURE})/api\\.ts$`,
        ...sharedFilesIn(featuresReadme).map(({ pattern }) => pattern)
      ]
    }
  },
  {
    name: 'features have no cycle',
    scope: 'folder',
    from: { path: `^client/features/(?:${FEATURE})$` },
    to: { path: `^client/features/(?:${FEATURE})$`, circular: true }
  },
  ...AREAS.map((area, index) => ({
    name: `${area}: no imports from later areas`,
    from: { path: `^client/features/${area}/` },
    to: { path: `^client/features/(?:${[...AREAS.slice(index + 1), ...WHOLE_FEATURES].join('|')})/` }
  }))
]

/** Matches the files of a layer, without files and subfolders that another layer lists. */
function layerOf(names: readonly string[]): { path: string; pathNot: string[] } {
  const listedElsewhere = SERVER_LAYERS.flat().filter((name) => name.includes('/') && !names.includes(name))
  return {
    path: `^server/(${names.join('|')})(?:/|$)`,
    pathNot: listedElsewhere.map((name) => `^server/${name}(?:/|$)`)
  }
}

/** A row's files that other features may import. `pattern` matches their paths. */
export interface SharedFiles {
  feature: string
  file: string
  pattern: string
}

export function sharedFilesIn(featuresReadme: string): SharedFiles[] {
  return [...featuresReadme.matchAll(/^\| `([\w/-]+)` \|.*\| (.+) \|$/gm)].flatMap(
    ([, feature = '', fileList = '']) => {
      const folder = `^client/features/${feature}/`
      if (fileList === 'everything') return [{ feature, file: fileList, pattern: folder }]
      const names = [...fileList.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      return names.map((file) => ({ feature, file, pattern: `${folder}${file}(?:$|\\.ts$|\\.tsx$)` }))
    }
  )
}
