// Registers a route of @fastify/http-proxy for each row of the table. The plugin checks and rewrites the path; forward.ts
// sends the call through the gateway's pools. Bodies are buffered up to a limit, so that a call can be repeated.
import fastifyHttpProxy from '@fastify/http-proxy'
import type { FastifyContextConfig, FastifyError, FastifyInstance } from 'fastify'
import Type, { type TObject } from 'typebox'
import { APIS, type Api, type Config } from '../config/settings.ts'
import { handleError, Problem } from '../errors.ts'
import type { Limits } from '../http/limits.ts'
import type { InventoryChange } from '../inventory/cache.ts'
import { parametersOf } from '../route-facts.ts'
import type { Access, Change } from '../types.ts'
import { connectionProblem } from '../upstreams/transport/failures.ts'
import type { Upstreams } from '../upstreams/transport/pools.ts'
import { openFiles } from './files.ts'
import { forward, sendAnswer } from './forward.ts'
import { NO_STORE, PRIVATE } from './headers.ts'
import { PATH_PARAMETERS } from './routes/schemas.ts'
import type { ProxyRow } from './row.ts'
import { createSlowAnswers } from './slow-answers.ts'

interface Options {
  table: readonly ProxyRow[]
  config: Config
  upstreams: Upstreams
  limits: Pick<Limits, 'connectionWaitMs' | 'slowAnswerMs'>
  /** Called with the scope of a customer, and what may have changed there. */
  onChange: (scope: string, change: Change, inventoryChange: InventoryChange) => void
}

export async function proxyRoutes(
  app: FastifyInstance,
  { table, config, upstreams, limits, onChange }: Options
): Promise<void> {
  // A response body can still fail after the handler has returned it.
  app.setErrorHandler((error: FastifyError, request, reply) =>
    handleError(error.code?.startsWith('FST_') ? error : connectionProblem(error), request, reply)
  )
  const slowAnswers = createSlowAnswers({
    minBytesPerSecond: config.UPSTREAM_MIN_BYTES_PER_SECOND,
    windowMs: limits.slowAnswerMs
  })
  app.addHook('onClose', async () => slowAnswers.close())
  const files = openFiles(config, limits.connectionWaitMs, slowAnswers)
  app.addHook('onClose', () => files.close())

  for (const row of table.filter(({ flag }) => flag === undefined || config.FEATURE_FLAGS[flag])) {
    const api = apiOf(row)
    const upstream = upstreams.of(api)
    await app.register(fastifyHttpProxy, {
      upstream: config.UPSTREAMS[api],
      routes: [row.path],
      httpMethods: [row.method],
      proxyPayloads: false,
      undici: upstream.pool,
      retryMethods: [],
      disableRequestLogging: true,
      config: configOf(row),
      handler: async (request, reply, path) => {
        const reportChange = () => {
          if (!row.changes || !request.scope) return
          onChange(request.scope, row.changes, row.changesOnlyFields ? 'fields' : 'members')
        }
        try {
          const answer = await forward(request, reply, upstream, path)
          reportChange()
          if (row.leadsToFile) return files.send(answer, request, reply, upstream)
          if (!Buffer.isBuffer(answer.body)) slowAnswers.watch(request, reply, answer.body)
          return sendAnswer(answer, reply, row.tellsSecret ? NO_STORE : PRIVATE)
        } catch (error) {
          // The upstream may have made the change although its answer failed or timed out, but not if it refused the call.
          if (!(error instanceof Problem) || error.status >= 499) reportChange()
          throw error
        }
      }
    })
  }
}

/** The API that the third segment of the path names, as in `UPSTREAM_<API>_URL`. Throws if no API has this name. */
export function apiOf({ id, path }: ProxyRow): Api {
  const name = path.split('/')[3]?.replaceAll('-', '_').toUpperCase()
  const api = APIS.find((value) => value === name)
  if (api === undefined) throw new Error(`the path of ${id} names no API: ${path}`)
  return api
}

function configOf(row: ProxyRow): FastifyContextConfig {
  const { id, upstreamProves, secretParams } = row
  return {
    id,
    access: accessOf(row),
    takes: row,
    ...(upstreamProves ? { upstreamProves } : {}),
    ...(secretParams ? { secretParams } : {}),
    docs: { ...row, params: parameterSchemaOf(row) }
  }
}

function parameterSchemaOf({ path }: ProxyRow): TObject {
  const parameters = parametersOf(path).map((name) => {
    const [description = '', example = ''] = PATH_PARAMETERS[name] ?? []
    return [name, Type.String({ description, examples: [example] })]
  })
  return Type.Object(Object.fromEntries(parameters))
}

function accessOf({ action, also, scope, check }: ProxyRow): Access {
  if (scope === undefined || action === 'self') return action === 'self' ? 'self' : 'signed-in'
  return { action, ...(also ? { also } : {}), scope, ...(check ? { check } : {}) }
}
