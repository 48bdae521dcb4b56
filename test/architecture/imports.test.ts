// Checks every import by the rules in import-rules.ts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import t from 'tap'
import { forbiddenImports, type SharedFiles, sharedFilesIn } from './import-rules.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FEATURES_README = readFileSync(`${ROOT}client/features/README.md`, 'utf8')

t.test('imports', async (t) => {
  const { output } = await cruise(['shared', 'server', 'client', 'test'], {
    baseDir: ROOT,
    // dependency-cruiser cannot use TypeScript 7.
    parser: 'swc',
    validate: true,
    ruleSet: { forbidden: forbiddenImports(FEATURES_README) },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types']
    }
  })
  const { modules, summary } = output as ICruiseResult
  t.ok(modules.length > 500, 'finds the files')

  t.test('every import is allowed', async (t) => {
    const violations = summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`)
    t.strictSame(violations, [])
  })

  t.test('another feature imports every file that the README of features names', async (t) => {
    const isUnused = ({ feature, pattern }: SharedFiles) => {
      const folder = `client/features/${feature}/`
      const sharedModules = modules.filter(
        ({ source }) => new RegExp(pattern).test(source) && source !== `${folder}api.ts`
      )
      const isImported = ({ dependents }: (typeof modules)[number]) =>
        dependents.some((path) => path.startsWith('client/features/') && !path.startsWith(folder))
      return sharedModules.length === 0 || !sharedModules.every(isImported)
    }
    const unused = sharedFilesIn(FEATURES_README).filter(isUnused)
    t.strictSame(
      unused.map(({ feature, file }) => `${feature}: ${file}`),
      []
    )
  })
})
