import { eventually } from './eventually.ts'

interface Reply {
  id: number
  result?: { result?: { value?: unknown } }
}

type Ask = (method: string, parameters?: object) => Promise<Reply>

/** Settings that open the inspector of a process at this local port. */
export const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })

export async function runIn(port: number, expression: string): Promise<void> {
  await withInspector(port, (ask) => ask('Runtime.evaluate', { expression }))
}

async function withInspector<T>(port: number, work: (ask: Ask) => Promise<T>): Promise<T> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  const replies = new Map<number, Reply>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    replies.set(reply.id, reply)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let lastId = 0
  try {
    return await work(async (method, params = {}) => {
      lastId += 1
      const id = lastId
      socket.send(JSON.stringify({ id, method, params }))
      return eventually(() => replies.get(id))
    })
  } finally {
    socket.close()
  }
}
