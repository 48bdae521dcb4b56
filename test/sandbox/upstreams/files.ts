// Redirect targets for downloads: random addresses that work for a minute without a token.
import { randomBytes } from 'node:crypto'
import { ApiProblem, notFound } from '../api/problems.ts'
import { params, type Upstream } from '../api/upstream.ts'
import type { OfferedFile } from '../records/work.ts'
import type { State } from '../state.ts'

const VALID_MS = 60_000

export function offerFile(
  state: State,
  publicUrl: string,
  name: string,
  file: Omit<OfferedFile, 'expiresMs'>
): string {
  const secret = randomBytes(16).toString('base64url')
  for (const [key, { expiresMs }] of state.files) if (expiresMs <= state.clock()) state.files.delete(key)
  state.files.set(secret, { ...file, expiresMs: state.clock() + VALID_MS })
  return `${publicUrl}/files/${secret}/${encodeURIComponent(name)}`
}

export const files: Upstream = (api, state) => {
  api.get('/files/:secret/:name', async (request, reply) => {
    const { secret = '', name = '' } = params(request)
    const file = state.files.get(secret)
    if (!file) throw notFound('file')
    if (file.expiresMs <= state.clock()) throw new ApiProblem(410, 'expired', 'the address has expired')
    return reply
      .header('content-type', file.contentType)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .send(file.content())
  })
}
