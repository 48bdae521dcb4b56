// Checks every import by the rules in import-rules.ts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import t from 'tap'
import { forbiddenImports } from './import-rules.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

t.test('every import is allowed', async (t) => {
  const { output } = await cruise(['shared', 'server', 'client', 'test'], {
    baseDir: ROOT,
    // dependency-cruiser cannot use TypeScript 7.
    parser: 'swc',
    validate: true,
    ruleSet: { forbidden: forbiddenImports(readFileSync(`${ROOT}client/features/README.md`, 'utf8')) },
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
  const violations = summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`)
  t.strictSame(violations, [])
})
