// Loads a small style sheet before all others. In a build, it also moves the large style sheet to the end of the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, preprocessCSS, type ResolvedConfig } from 'vite'

const FIRST_STYLES = ['ui/tokens.css', 'app/frame/first.css']

const linkTo = (file: string) => `<link rel="stylesheet" href="/${file}">`

export function firstScreen(): Plugin {
  let config: ResolvedConfig
  let fileName = ''
  return {
    name: 'first-screen',
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
        if (config.command === 'serve')
          return html.replace('</head>', `${FIRST_STYLES.map(linkTo).join('')}</head>`)
        const [styleLink = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
        return html.replace(styleLink, linkTo(fileName)).replace('</body>', `  ${styleLink}\n  </body>`)
      }
    }
  }
}

async function compiled(file: string, config: ResolvedConfig): Promise<string> {
  const path = join(import.meta.dirname, file)
  const { code } = await preprocessCSS(readFileSync(path, 'utf8'), path, config)
  return code
}
