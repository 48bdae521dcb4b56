// Lets Node load .tsx (Node strips types, not JSX) and ignore style sheets, with the compiler that Vite uses.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true }
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    const file = fileURLToPath(url)
    const result = transformSync(file, readFileSync(file, 'utf8'), {
      lang: 'tsx',
      jsx: { runtime: 'automatic' },
      target: 'node24',
      sourcemap: true
    })
    if (result.errors.length > 0)
      throw new SyntaxError(result.errors.map((error) => String(error)).join('\n'))
    const map = Buffer.from(JSON.stringify(result.map)).toString('base64')
    const source = `${result.code}\n//# sourceMappingURL=data:application/json;base64,${map}`
    return { format: 'module', source, shortCircuit: true }
  }
})
