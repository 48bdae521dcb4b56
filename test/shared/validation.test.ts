import t from 'tap'
import { description, freeName, lengthOf, note, projectName } from '#shared/validation.ts'

const SYMBOLS = 'Symbols like *,<,>,/ are not allowed.'

t.test('names and descriptions refuse symbols, and only descriptions take new lines', async (t) => {
  for (const rule of [projectName, freeName, description])
    for (const text of ['a*b', 'a<b', 'a/b', '21 °C', '50%', 'Why?', 'At 14:05'])
      t.equal(rule(text), SYMBOLS, `${rule.name} ${text}`)
  t.equal(projectName('a\nb'), SYMBOLS)
  t.equal(description('a\nb'), null)
})

t.test('notes are prose', async (t) => {
  for (const text of ['Reset at 14:05', '21 °C', '50%', '(bag)', 'Why?', '<b>a/b</b>\nand more', ''])
    t.equal(note(text), null, text)
})

t.test('each has a length, counted as people count', async (t) => {
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
