// Signs out at the identity provider without a question.
import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { page } from './page.ts'

export async function signOutPage(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  const nonce = randomBytes(16).toString('base64')
  ctx.set(
    'content-security-policy',
    `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`
  )
  const filled = form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>')
  ctx.body = page(
    'Signing out',
    `<p>One moment, please.</p>
${filled}
<button class="primary" form="op.logoutForm">Sign out</button>
<script nonce="${nonce}">document.getElementById('op.logoutForm').submit()</script>`
  )
}

export async function signedOutPage(ctx: KoaContextWithOIDC): Promise<void> {
  ctx.body = page('Signed out', '<p>You can close this page.</p>')
}
