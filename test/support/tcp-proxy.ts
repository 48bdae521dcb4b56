// A TCP proxy that can drop data.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '#test/support/portal.ts'
import type { Test } from './teardown.ts'

export interface TcpProxy {
  port: number
  reset: () => void
  refuse: () => Promise<void>
  /** Drops the answer to the next Redis command of this name; the connection stays open. Null drops nothing. */
  loseAnswerTo: (command: string | null) => void
  lost: () => number
}

export async function startTcpProxy(t: Test, target: number): Promise<TcpProxy> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let trigger: string | null = null
  let lost = 0
  let server: Server | null = null

  const forward = (from: Socket, to: Socket, drops: (bytes: Buffer) => boolean) => {
    from.on('data', (bytes) => {
      if (drops(bytes)) return
      if (to.writable) to.write(bytes)
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((client) => {
        const upstream = connect(target, '127.0.0.1')
        for (const socket of [client, upstream]) sockets.add(socket.setNoDelay(true))
        let dropsNext = false
        forward(client, upstream, (request) => {
          if (trigger === null || !request.toString('latin1').toLowerCase().includes(`\r\n${trigger}\r\n`))
            return false
          dropsNext = true
          trigger = null
          return false
        })
        forward(upstream, client, () => {
          if (!dropsNext) return false
          dropsNext = false
          lost += 1
          return true
        })
      }).listen(port, '127.0.0.1', resolve)
    })
  const reset = () => {
    for (const socket of sockets) resetSocket(socket)
    sockets.clear()
  }

  const proxy: TcpProxy = {
    port,
    reset,
    async refuse() {
      const serverClose = new Promise<void>((resolve) => server?.close(() => resolve()))
      reset()
      await serverClose
    },
    loseAnswerTo(command) {
      trigger = command
    },
    lost: () => lost
  }
  await listen()
  t.teardown(() => {
    reset()
    server?.close()
  })
  return proxy
}

function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
