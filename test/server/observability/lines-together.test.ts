import t from 'tap'
import { createLog, linesTogether } from '#server/observability/log.ts'
import { eventually } from '../../support/redis-server.ts'

const written = (texts: readonly string[]) =>
  texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

t.test('few lines wait a moment, and are handed on as one text', async (t) => {
  const texts: string[] = []
  const log = createLog('info', linesTogether({ write: (text: string) => void texts.push(text) }))
  for (const number of [1, 2, 3]) log.info({ number }, 'together')
  t.strictSame(texts, [], 'not yet')
  await eventually(() => texts.length > 0)
  log.warn('later')
  await eventually(() => texts.length > 1)
  t.equal(texts.length, 2)
  t.match(written(texts), [{ number: 1 }, { number: 2 }, { number: 3 }, { msg: 'later' }])
})

t.test('fifty lines are handed on at once', async (t) => {
  const texts: string[] = []
  const log = createLog('info', linesTogether({ write: (text: string) => void texts.push(text) }))
  for (let number = 1; number < 50; number += 1) log.info({ number }, 'together')
  t.strictSame(texts, [], 'not yet')
  log.info({ number: 50 }, 'together')
  t.equal(texts.length, 1)
  t.strictSame(
    written(texts).map(({ number }) => number),
    Array.from({ length: 50 }, (_, index) => index + 1)
  )
})

t.test('what is still here can be handed on at once, and only once', async (t) => {
  const texts: string[] = []
  const lines = linesTogether({ write: (text: string) => void texts.push(text) })
  lines.write('last words\n')
  lines.release()
  t.strictSame(texts, ['last words\n'])
  lines.release()
  t.strictSame(texts, ['last words\n'])
})
