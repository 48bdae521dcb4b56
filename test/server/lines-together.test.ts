import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createLog, linesTogether } from '#server/log.ts'

t.test('lines of one turn are handed on as one text, those of the next as another', async (t) => {
  const texts: string[] = []
  const log = createLog('info', linesTogether({ write: (text: string) => void texts.push(text) }))
  for (const number of [1, 2, 3]) log.info({ number }, 'of one turn')
  t.strictSame(texts, [], 'not yet')
  await turn()
  log.warn('of the next')
  await turn()
  await turn()
  t.equal(texts.length, 2)
  const lines = texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(lines, [{ number: 1 }, { number: 2 }, { number: 3 }, { msg: 'of the next' }])
})

t.test('what is still here can be handed on at once, and only once', async (t) => {
  const texts: string[] = []
  const lines = linesTogether({ write: (text: string) => void texts.push(text) })
  lines.write('last words\n')
  lines.release()
  t.strictSame(texts, ['last words\n'])
  await turn()
  lines.release()
  t.strictSame(texts, ['last words\n'])
})
