// What the requests of a route may bring: as a passed-on route declares it, or by the schema that Fastify knows.
import type { RouteOptions } from 'fastify'
import type { TObject } from 'typebox'
import type { Takes } from '../types.ts'

export function takesOf({ config, schema }: Pick<RouteOptions, 'config' | 'schema'>): Takes {
  if (config?.takes) return config.takes
  return schema?.querystring ? { query: schema.querystring as TObject } : {}
}
