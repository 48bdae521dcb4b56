// The sandbox's pages for sign-in and sign-out, and its front page.
import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { CODES } from '../seed/notable.ts'
import { PASSWORD, SIGN_INS, signInTable } from '../sign-ins.ts'

const STYLE = `
:root { color-scheme: light dark; --accent: light-dark(#0b5cad, #7ab8ff); --line: light-dark(#d5dbe3, #38414f);
  --page: light-dark(#eef2f6, #12161c); --card: light-dark(#fff, #1b212a); --quiet: light-dark(#52606f, #a3afbd);
  --alert: light-dark(#a8071a, #ff9c9c) }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: grid; place-content: center; justify-items: center;
  background: var(--page); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(34rem, calc(100vw - 2rem)); background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; padding: clamp(1.25rem, 4vw, 2rem) }
.tag { display: inline-block; margin: 0; padding: .1rem .6rem; border-radius: 1rem; background: #ffd666; color: #3d2c00;
  font-size: .8rem; font-weight: 600 }
h1 { margin: .75rem 0 .25rem; font-size: 1.5rem; line-height: 1.2 }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem }
p { margin: 0; color: var(--quiet) }
[role=alert] { margin-top: 1rem; color: var(--alert); font-weight: 600 }
.people { display: grid; gap: .5rem; margin-top: 1.25rem }
button { font: inherit; cursor: pointer; border-radius: .5rem; min-height: 2.75rem; padding: .5rem .9rem;
  border: 1px solid var(--line); background: transparent; color: inherit; text-align: left }
button:hover, button:focus-visible { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.people button { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem }
.people small { color: var(--quiet) }
label { display: block; margin-top: .75rem; font-size: .9rem }
input { display: block; width: 100%; min-height: 2.75rem; margin-top: .2rem; padding: .4rem .7rem; font: inherit;
  color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .5rem }
.primary { width: 100%; margin-top: 1.1rem; background: var(--accent); border-color: var(--accent);
  color: light-dark(#fff, #06213d); font-weight: 600; text-align: center }
`

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Sandbox</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main><p class="tag">Sandbox – sample data only</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Buttons for the sample people, and a form with the only fields `username` and `password`. */
export function signInPage(action: string, message = ''): string {
  const target = escapeHtml(action)
  const people = SIGN_INS.map(
    ({ username, summary }) =>
      `<button name="person" value="${username}"><strong>${username}</strong> <small>${escapeHtml(summary)}</small></button>`
  ).join('\n')
  return page(
    'Sign in',
    `<p>Choose somebody to sign in as.</p>
${message && `<p role="alert">${escapeHtml(message)}</p>`}
<form method="post" action="${target}" class="people">
${people}
</form>
<h2>Or with a user name</h2>
<p>The password of everybody is <code>${PASSWORD}</code>.</p>
<form method="post" action="${target}">
<label>User name <input name="username" autocomplete="username" autocapitalize="none" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="primary">Sign in</button>
</form>`
  )
}

/** Signs out at the identity provider without a confirmation. */
export async function signOutPage(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  const nonce = randomBytes(16).toString('base64')
  ctx.set(
    'content-security-policy',
    `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`
  )
  const filledForm = form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>')
  ctx.body = page(
    'Signing out',
    `<p>One moment, please.</p>
${filledForm}
<button class="primary" form="op.logoutForm">Sign out</button>
<script nonce="${nonce}">document.getElementById('op.logoutForm').submit()</script>`
  )
}

export async function signedOutPage(ctx: KoaContextWithOIDC): Promise<void> {
  ctx.body = page('Signed out', '<p>You can close this page.</p>')
}

export function frontPage(issuer: string): string {
  const codes = Object.values(CODES)
    .map((code) => `<code>${code}</code>`)
    .join(', ')
  return page(
    'The services around the gateway',
    `<p>Identity provider: <code>${escapeHtml(issuer)}</code></p>
<p>Upstream APIs: below <code>/api</code>, with a bearer token of that provider.</p>
<p>Codes to register devices with: ${codes}; other digits at the end work too.</p>
<pre style="overflow-x: auto; font-size: .8rem">${escapeHtml(signInTable())}</pre>`
  )
}
