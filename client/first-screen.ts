// A small style sheet ahead of the large one, which moves behind the page's first words.
import { join } from 'node:path'
import { compile } from 'sass'
import type { Plugin } from 'vite'

const FIRST_STYLES = ['ui/tokens.css', 'app/frame/first.css']

export function firstScreen(): Plugin {
  let first = ''
  return {
    name: 'first-screen',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler() {
        const source = FIRST_STYLES.map(
          (file) => compile(join(import.meta.dirname, file), { style: 'compressed' }).css
        ).join('')
        first = this.getFileName(this.emitFile({ type: 'asset', name: 'first.css', source }))
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
        return html
          .replace(styles, `<link rel="stylesheet" href="/${first}">`)
          .replace('</body>', `  ${styles}\n  </body>`)
      }
    }
  }
}
