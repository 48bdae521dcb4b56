import t from 'tap'
import { release, TextListWriter, textListOf } from '#server/upstreams/text-list.ts'

t.test('texts stand as they were written, with a comma between any two', async (t) => {
  const texts = ['', 'a', 'é東🏢', 'x'.repeat(100_000), '', ',']
  const { bytes, starts, ends } = textListOf(texts)
  t.strictSame(
    texts.map((_, index) => bytes.toString('utf8', starts[index], ends[index])),
    texts
  )
  t.equal(bytes.toString(), texts.join(','))
})

t.test('what was taken is not changed by what is written next', async (t) => {
  const writer = new TextListWriter()
  const write = (text: string) => {
    writer.begin(text.length)
    writer.copy(Buffer.from(text))
    writer.end()
  }
  write('first')
  const first = writer.take()
  write('other')
  t.equal(first.bytes.toString(), 'first')
  t.equal(writer.take().bytes.toString(), 'other')
  t.equal(writer.take().starts.length, 0)
})

t.test('a list that was released takes no memory', async (t) => {
  const list = textListOf(['a', 'b'])
  release(list)
  t.equal(list.bytes.length, 0)
})
