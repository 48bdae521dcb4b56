import t from 'tap'
import type { Bearer, Bodies, Body, Call } from '#server/upstreams/bodies.ts'
import { noteBodies, readAgain } from '#server/upstreams/readings.ts'

const bearer: Bearer = { accessToken: async () => 'token', replaceToken: async () => null }
const { signal } = new AbortController()
const call = (path: string): Call => ({ api: 'MANAGEMENT', path, bearer, signal })

async function whole(body: Body): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** What stands at each path, in chunks; the paths that were asked for. */
function upstream(texts: Record<string, string[]>) {
  const asked: string[] = []
  const bodies: Bodies = {
    async open({ path }, read) {
      asked.push(path)
      const chunks = texts[path]
      if (!chunks) throw new Error(`nothing at ${path}`)
      return read(stream(chunks))
    }
  }
  return { bodies, texts, asked }
}

async function* stream(chunks: string[]): Body {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function noted(texts: Record<string, string[]>) {
  const from = upstream(texts)
  const notes = noteBodies(from.bodies)
  for (const path of Object.keys(texts)) await notes.open(call(path), whole)
  return { ...from, readings: notes.readings() }
}

t.test('a body that is not read to its end, or fails, is not noted', async (t) => {
  const { bodies } = upstream({ '/a': ['one', 'two'] })
  const notes = noteBodies(bodies)
  await notes.open(call('/a'), async (body) => {
    for await (const chunk of body) return chunk
  })
  await t.rejects(notes.open(call('/b'), whole))
  t.strictSame(notes.readings(), [])
})

t.test('what is the same is seen, whatever chunks it comes in', async (t) => {
  const { bodies, texts, readings } = await noted({ '/a': ['{"n":', '1}'], '/b': ['[]'] })
  texts['/a'] = ['{', '"n":1', '}']
  t.equal((await readAgain(bodies, readings, bearer, signal)).same, true)
})

const changes: [name: string, path: string, chunks: string[]][] = [
  ['another letter', '/a', ['{"n":2}']],
  ['one letter more', '/a', ['{"n":1} ']],
  ['two letters that changed places', '/a', ['{n":"1}']],
  ['an empty body', '/b', []]
]
for (const [name, path, chunks] of changes) {
  t.test(`${name} is a change`, async (t) => {
    const { bodies, texts, readings } = await noted({ '/a': ['{"n":1}'], '/b': ['[]'] })
    texts[path] = chunks
    t.equal((await readAgain(bodies, readings, bearer, signal)).same, false)
  })
}

t.test('a change is read from what has come, once; all else is asked for', async (t) => {
  const { bodies, texts, readings, asked } = await noted({ '/a': ['1'], '/b': ['2'] })
  texts['/b'] = ['3', '4']
  const again = await readAgain(bodies, readings, bearer, signal)
  texts['/c'] = ['5']
  asked.length = 0
  t.equal(await again.bodies.open(call('/a'), whole), '1')
  t.equal(await again.bodies.open(call('/b'), whole), '34')
  t.strictSame(asked, [])
  t.equal(await again.bodies.open(call('/c'), whole), '5')
  t.equal(await again.bodies.open(call('/b'), whole), '34', 'a second time it is asked for')
  t.strictSame(asked, ['/c', '/b'])
})

t.test('of a body that came at a second try, only the second is held', async (t) => {
  const { bodies, readings } = await noted({ '/a': ['1', '2'] })
  const twice: Bodies = {
    async open(call, read) {
      await bodies.open(call, read)
      return bodies.open(call, read)
    }
  }
  const again = await readAgain(twice, readings, bearer, signal)
  t.ok(again.same)
  t.equal(await again.bodies.open(call('/a'), whole), '12')
})

t.test('bodies are held up to a limit, and none of them just past it', async (t) => {
  const { bodies, texts, readings, asked } = await noted({ '/a': ['1'], '/b': ['2'] })
  texts['/b'] = ['34']
  const open = async (limit: number) => {
    const again = await readAgain(bodies, readings, bearer, signal, limit)
    t.equal(again.same, false)
    asked.length = 0
    for (const path of Object.keys(texts)) await again.bodies.open(call(path), whole)
    return asked
  }
  t.strictSame(await open(3), [])
  t.strictSame(await open(2), ['/a', '/b'])
})

t.test(
  'where they are not held, no other is asked for once one has changed, and one under way is given up',
  async (t) => {
    const { bodies, texts, readings, asked } = await noted({ '/a': ['1'], '/b': ['2'], '/c': ['3'] })
    texts['/a'] = ['4']
    asked.length = 0
    let givenUp = false
    const slow: Bodies = {
      open(call, read) {
        if (call.path === '/a') return bodies.open(call, read)
        asked.push(call.path)
        return new Promise((_, reject) => {
          call.signal?.addEventListener('abort', () => {
            givenUp = true
            reject(call.signal?.reason)
          })
        })
      }
    }
    t.equal((await readAgain(slow, readings, bearer, signal, 0)).same, false)
    t.strictSame(asked, ['/a', '/b'])
    t.ok(givenUp)
  }
)

t.test('one that fails counts as changed, and is asked for again', async (t) => {
  const { bodies, texts, readings, asked } = await noted({ '/a': ['1'], '/b': ['2'] })
  delete texts['/a']
  const again = await readAgain(bodies, readings, bearer, signal)
  t.equal(again.same, false)
  texts['/a'] = ['1']
  asked.length = 0
  t.equal(await again.bodies.open(call('/a'), whole), '1')
  t.strictSame(asked, ['/a'])
})

t.test('nobody waits any more: it throws', async (t) => {
  const { bodies, texts, readings } = await noted({ '/a': ['1'] })
  delete texts['/a']
  await t.rejects(readAgain(bodies, readings, bearer, AbortSignal.abort(new Error('gone'))), {
    message: 'gone'
  })
})
