import t from 'tap'
import { CHECKS } from '#server/access/checks.ts'
import { describeAccess } from '#server/access/describe.ts'
import { FINDERS } from '#server/access/scope-of.ts'
import type { Check, ScopeFinder } from '#server/types.ts'
import { rolesAllowing } from '#shared/permissions.ts'

const action = 'projects:view'
const needed = `Needs the action \`${action}\` (${rolesAllowing(action).join(', ')}) at `

t.test('every way to find a scope is told in words', async (t) => {
  const scopes = Object.keys(FINDERS) as ScopeFinder[]
  const texts = scopes.map((scope) => describeAccess({ action, scope }).text)
  for (const text of texts) t.match(text.slice(needed.length), /^[a-z].*[^ ]\.$/, text)
  for (const text of texts) t.ok(text.startsWith(needed), text)
})

t.test('every further check is told after it, as a sentence', async (t) => {
  const plain = describeAccess({ action, scope: 'customer' }).text
  for (const check of Object.keys(CHECKS) as Check[]) {
    const { text } = describeAccess({ action, scope: 'customer', check })
    t.ok(text.startsWith(`${plain} `), text)
    t.match(text.slice(plain.length + 1), /^\S.*\.$/, check)
  }
})

t.test('who needs no action is told as well', async (t) => {
  for (const access of ['public', 'signed-in', 'self'] as const)
    t.match(describeAccess(access), { action: access, scope: null, claims: false, text: /^[A-Z].*\.$/ })
})
