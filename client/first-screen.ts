// Loads a small style sheet first, and moves the large style sheet to the end of the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, preprocessCSS, type ResolvedConfig } from 'vite'

const FIRST_STYLES = ['ui/tokens.css', 'app/frame/first.css']

export function firstScreen(): Plugin {
  let config: ResolvedConfig
  let fileName = ''
  return {
    name: 'first-screen',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    generateBundle: {
      order: 'pre',
      async handler() {
        const parts = await Promise.all(FIRST_STYLES.map((file) => compiled(file, config)))
        fileName = this.getFileName(
          this.emitFile({ type: 'asset', name: 'first.css', source: parts.join('') })
        )
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [styleLink = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
        return html
          .replace(styleLink, `<link rel="stylesheet" href="/${fileName}">`)
          .replace('</body>', `  ${styleLink}\n  </body>`)
      }
    }
  }
}

async function compiled(file: string, config: ResolvedConfig): Promise<string> {
  const path = join(import.meta.dirname, file)
  const { code } = await preprocessCSS(readFileSync(path, 'utf8'), path, config)
  return code
}
