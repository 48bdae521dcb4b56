import { escapeHtml, page } from './identity/page.ts'
import { CODES } from './seed/notable.ts'
import { signInTable } from './sign-ins.ts'

export function frontPage(issuer: string): string {
  const codes = Object.values(CODES)
    .map((code) => `<code>${code}</code>`)
    .join(', ')
  return page(
    'The world outside the gateway',
    `<p>Identity provider: <code>${escapeHtml(issuer)}</code></p>
<p>Upstream APIs: below <code>/api</code>, with a bearer token of that provider.</p>
<p>Codes to register devices with: ${codes}; other digits at the end do as well.</p>
<pre style="overflow-x: auto; font-size: .8rem">${escapeHtml(signInTable())}</pre>`
  )
}
