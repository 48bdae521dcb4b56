// Lets Node load the client: compiles .tsx with the compiler that Vite uses (Node strips types, not JSX), ignores style sheets,
// and provides Vite's import.meta.glob. Replaces a package of tap that slows every test down.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'rolldown/utils'

type Modules = Record<string, () => Promise<unknown>>

declare global {
  var importGlob: (folder: string, pattern: string) => Modules
}

/** Like Vite's import.meta.glob: functions that import the files, by their path from the folder. */
globalThis.importGlob = (folder, pattern) => {
  const modules: Modules = {}
  for (const path of globSync(pattern, { cwd: folder }))
    modules[path] = () => import(pathToFileURL(resolve(folder, path)).href)
  return modules
}

const ERROR_DOMAIN = new URL('error-domain.ts', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/node_modules/async-hook-domain/'))
      return { format: 'module', source: `export { Domain } from '${ERROR_DOMAIN}'`, shortCircuit: true }
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
    const code = result.code.replace('import.meta.glob(', 'importGlob(import.meta.dirname, ')
    const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${map}`
    return { format: 'module', source, shortCircuit: true }
  }
})
