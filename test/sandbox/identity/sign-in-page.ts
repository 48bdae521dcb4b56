// The sign-in page: buttons for the sample people, and a form with the only fields `username` and `password`.
import { PASSWORD, SIGN_INS } from '../sign-ins.ts'
import { escapeHtml, page } from './page.ts'

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
