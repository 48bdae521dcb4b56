// The gateway's Fastify server before any registration: limits, log, errors and unknown addresses.
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ID_MAX_ENCODED_CHARACTERS } from '#shared/scopes.ts'
import type { Config } from '../config/settings.ts'
import { answerMalformed, handleError, problems, sendProblem } from '../errors.ts'
import type { Log } from '../types.ts'
import { type Limits, serverOptions } from './limits.ts'

export function createServer(
  { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>,
  log: Log,
  limits: Limits
): FastifyInstance {
  const app = Fastify({
    ...serverOptions(limits),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: TRUST_PROXY ?? false,
    routerOptions: { caseSensitive: true, maxParamLength: ID_MAX_ENCODED_CHARACTERS },
    // access/enforce.ts reads and decides on requests before Fastify validates them, so validation changes nothing.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    exposeHeadRoutes: false,
    frameworkErrors: handleError,
    clientErrorHandler: answerMalformed,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    // With options, even empty ones, the logger would rebuild its formatters for every request.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    // Calls on open connections are still answered while the server stops; see lifecycle/stop.ts.
    return503OnClosing: false
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  return app
}
