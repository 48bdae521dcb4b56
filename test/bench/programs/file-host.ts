// An API that leads to a file of any size, and the host that has it: each byte follows from its place, so that nothing
// is stored and a part can be told from another. Parts are asked for as RFC 9110 §14 says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { FILE_BYTES, FILE_TAG, partOf } from '../file-content.ts'

const CHUNK_BYTES = 256 * 1024

const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/')) {
    response.writeHead(302, { location: '/files/a-secret' }).end()
    return
  }
  if (request.url?.startsWith('/files/')) void send(request, response)
  else response.end()
})
server.listen(Number(process.env.PORT), '127.0.0.1')

async function send({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  const isPart = from !== undefined && (headers['if-range'] ?? FILE_TAG) === FILE_TAG
  const first = isPart ? Number(from) : 0
  response.writeHead(isPart ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="../../station backup.dist"',
    'content-length': FILE_BYTES - first,
    'accept-ranges': 'bytes',
    etag: FILE_TAG,
    ...(isPart ? { 'content-range': `bytes ${first}-${FILE_BYTES - 1}/${FILE_BYTES}` } : {})
  })
  let at = first
  while (at < FILE_BYTES && !response.destroyed) {
    const part = partOf(at, Math.min(CHUNK_BYTES, FILE_BYTES - at))
    at += part.length
    if (!response.write(part)) await drained(response)
  }
  response.end()
}

/** Or closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}
