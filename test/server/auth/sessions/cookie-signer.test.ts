import t from 'tap'
import { createCookieSigner } from '#server/auth/sessions/cookie-signer.ts'

const OLD = 'an-old-secret-of-more-than-thirty-two-characters'
const NEW = 'a-new-secret-of-more-than-thirty-two-characters'

t.test('whoever changes a cookie is refused', async (t) => {
  const signer = createCookieSigner([NEW])
  const id = signer.newId()
  const cookie = signer.sign(id)
  t.strictSame(signer.unsign(cookie), { valid: true, renew: false, value: id })
  const changed = [...cookie].map((letter, at) => {
    const other = letter === 'A' ? 'B' : 'A'
    return cookie.slice(0, at) + other + cookie.slice(at + 1)
  })
  for (const wrong of [...changed, id, `${id}.`, `${cookie}A`, cookie.slice(0, -1), '', '.'])
    t.equal(signer.unsign(wrong).valid, false, wrong)
  t.strictSame(signer.unsign(cookie), { valid: true, renew: false, value: id })
})

t.test('a cookie holds as long as its secret, and each has its own', async (t) => {
  const before = createCookieSigner([OLD])
  const cookie = before.sign(before.newId())
  t.ok(createCookieSigner([NEW, OLD]).unsign(cookie).valid)
  t.notOk(createCookieSigner([NEW]).unsign(cookie).valid)
  t.not(before.newId(), before.newId())
})
