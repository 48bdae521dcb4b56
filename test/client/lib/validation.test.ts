import t from 'tap'
import { description, email, freeName, lengthOf, note, projectName } from '#client/lib/validation.ts'

const SYMBOLS = 'Symbols like *,<,>,/ are not allowed.'

t.test('refuses symbols in names and descriptions, and line breaks in names', async (t) => {
  for (const rule of [projectName, freeName, description])
    for (const text of ['a*b', 'a<b', 'a/b', '21 °C', '50%', 'Why?', 'At 14:05'])
      t.equal(rule(text), SYMBOLS, `${rule.name} ${text}`)
  t.equal(projectName('a\nb'), SYMBOLS)
  t.equal(description('a\nb'), null)
})

t.test('refuses an e-mail address without exactly one @, without a domain, or too long', async (t) => {
  const ofLength = (length: number) => `${'a'.repeat(length - 10)}@b.example`
  for (const text of ['', 'a', 'a@b', 'a@@b.c', 'a b@c.d', ofLength(255)]) t.ok(email(text), text)
  for (const text of ['a@b.c', ' a@b.c ', ofLength(254)]) t.equal(email(text), null, text)
})

t.test('accepts prose as a note', async (t) => {
  for (const text of ['Reset at 14:05', '21 °C', '50%', '(bag)', 'Why?', '<b>a/b</b>\nand more', ''])
    t.equal(note(text), null, text)
})

t.test('limits lengths in characters, not code units', async (t) => {
  for (const [rule, max] of [
    [projectName, 50],
    [description, 300],
    [note, 300]
  ] as const) {
    t.equal(rule(` ${'x'.repeat(max)} `), null)
    t.equal(rule('x'.repeat(max + 1)), `Maximum allowed characters is ${max}`)
  }
  t.equal(lengthOf('👍'.repeat(300)), 300)
  t.equal(note('👍'.repeat(300)), null)
})
