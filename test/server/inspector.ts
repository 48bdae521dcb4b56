// A look into a running process over its inspector: what it still holds once its garbage is collected.
import { eventually } from './eventually.ts'

interface Reply {
  id: number
  result?: { result?: { value?: unknown } }
}

/** Settings of a process that can be looked into at this port of this machine. */
export const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })

/** Bytes on the heap and outside of it that are still in use. */
export async function heldBytes(port: number): Promise<number> {
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
  let asked = 0
  const ask = async (method: string, params: object = {}): Promise<Reply> => {
    asked += 1
    const id = asked
    socket.send(JSON.stringify({ id, method, params }))
    return eventually(() => replies.get(id))
  }
  try {
    // Twice: what is finalized by the first is let go of by the second.
    for (let time = 0; time < 2; time += 1) await ask('HeapProfiler.collectGarbage')
    const expression =
      '(({ heapUsed, external, arrayBuffers }) => heapUsed + external + arrayBuffers)(process.memoryUsage())'
    return Number((await ask('Runtime.evaluate', { expression })).result?.result?.value)
  } finally {
    socket.close()
  }
}
