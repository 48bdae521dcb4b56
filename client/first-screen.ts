// Loads a small style sheet first, and moves the large style sheet to the end of the page.
import { join } from 'node:path'
import { compile } from 'sass'
import type { Plugin } from 'vite'

const FIRST_STYLES = ['ui/tokens.css', 'app/frame/first.css']

export function firstScreen(): Plugin {
  let fileName = ''
  return {
    name: 'first-screen',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler() {
        const source = FIRST_STYLES.map(
          (file) => compile(join(import.meta.dirname, file), { style: 'compressed' }).css
        ).join('')
        fileName = this.getFileName(this.emitFile({ type: 'asset', name: 'first.css', source }))
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
