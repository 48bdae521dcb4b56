// What the built page brings for its first screen: a small style sheet that lets its first words show, the large one after
// them, and the script that asks for data and code ahead.
import { join } from 'node:path'
import { build } from 'rolldown'
import { compile } from 'sass'
import type { Plugin, Rolldown } from 'vite'

/** What each of the screens in early.ts consists of, beside what every page loads. */
const SCREENS: Record<string, readonly string[]> = {
  customers: ['features/customers/customer-cards.tsx'],
  customer: ['features/projects/projects-page.tsx', 'features/devices/list/device-table.tsx']
}
const FIRST_STYLES = ['ui/tokens.css', 'app/frame/first.css']

const THEME = '<script src="/theme.js"></script>'

export function firstScreen(): Plugin {
  let first = ''
  let early = ''
  return {
    name: 'first-screen',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      async handler() {
        const source = FIRST_STYLES.map(
          (file) => compile(join(import.meta.dirname, file), { style: 'compressed' }).css
        ).join('')
        const emit = (name: string, source: string) =>
          this.getFileName(this.emitFile({ type: 'asset', name, source }))
        first = emit('first.css', source)
        early = emit('early.js', await earlyScript())
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
        const files = Object.entries(SCREENS).map(
          ([name, modules]) => ` data-${name}="${filesOf(modules, bundle)}"`
        )
        return html
          .replace(styles, `<link rel="stylesheet" href="/${first}">`)
          .replace(THEME, `${THEME}\n    <script src="/${early}" async${files.join('')}></script>`)
          .replace('</body>', `  ${styles}\n  </body>`)
      }
    }
  }
}

/** early.ts with what it imports, as one script. */
export async function earlyScript(): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, 'early.ts'),
    // It takes the pure parts of modules that also have a hook or a component: none of the libraries behind these.
    external: /^[^./#]/,
    treeshake: { moduleSideEffects: false },
    output: { format: 'iife', minify: true },
    write: false
  })
  return output[0].code
}

/** The files of the modules, and what these need, but for those of every page; by their addresses. */
function filesOf(modules: readonly string[], bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const closure = (roots: Rolldown.OutputChunk[]) => {
    const all = new Set(roots)
    for (const { imports } of all)
      for (const chunk of chunks) if (imports.includes(chunk.fileName)) all.add(chunk)
    return all
  }
  const always = closure(chunks.filter(({ isEntry }) => isEntry))
  const wanted = closure(
    chunks.filter(({ modules: all }) =>
      Object.keys(all).some((id) => modules.some((module) => id.endsWith(`/client/${module}`)))
    )
  )
  const files = [...wanted]
    .filter((chunk) => !always.has(chunk))
    .flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
  return [...new Set(files)].map((file) => `/${file}`).join(' ')
}
