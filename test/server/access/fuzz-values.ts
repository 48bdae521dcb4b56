// Bodies and queries made of the schemas of the table, and bent: what a generator needs of a schema, and an own reading of
// what fits it. Nothing here is shared with the gateway.
import type { Random } from '#test/sandbox/seed/random.ts'
import type { Target } from './grid-oracle.ts'

export interface Shape {
  type?: string
  enum?: unknown[]
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minItems?: number
  maxItems?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
}

export function namesOf({ id, parameters, systemGuid }: Target): Record<string, unknown> {
  return {
    customer: `/organizations/${id}`,
    partner: '/organizations/100',
    project: `/projects/${parameters.projectId}`,
    customerId: id,
    partnerId: '100',
    deviceId: parameters.deviceId,
    sourceId: parameters.deviceId,
    deviceUuid: parameters.deviceUuid,
    device: parameters.deviceId,
    systemGuid,
    role: '/roles/5',
    scope: `/organizations/100/customers/${id}`,
    // Of a saved point's device, and of an assignment, which nobody has.
    id: parameters.deviceId
  }
}

export function fitting(shape: Shape, random: Random, known: Record<string, unknown>, name = ''): unknown {
  const { type, enum: choices, anyOf, properties = {}, required = [], items = {}, minItems = 0 } = shape
  if (choices) return random.pick(choices)
  if (anyOf) return fitting(random.pick(anyOf), random, known, name)
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([field]) => required.includes(field) || random.below(4) > 0)
        .map(([field, part]) => [field, fitting(part, random, known, field)])
    )
  if (type === 'array')
    return Array.from({ length: minItems + random.below(3 - minItems) }, () =>
      fitting(items, random, known, name.replace(/s$/, ''))
    )
  if (type === 'string' && known[name] !== undefined) return known[name]
  if (type === 'string')
    return /\\d\{4\}/.test(shape.pattern ?? '') ? '2026-01-02T03:04:05Z' : `x${random.below(9)}`
  if (type === 'integer') return (shape.minimum ?? 0) + random.below(5)
  if (type === 'number') return random.below(100) / 4
  return type === 'boolean' ? random.below(2) === 0 : null
}

export function fits(shape: Shape, value: unknown): boolean {
  const { type, enum: choices, anyOf, properties = {}, required = [], items = {} } = shape
  if (choices) return choices.includes(value)
  if (anyOf) return anyOf.some((part) => fits(part, value))
  if (type === 'array')
    return (
      Array.isArray(value) &&
      value.length >= (shape.minItems ?? 0) &&
      value.length <= (shape.maxItems ?? 0) &&
      value.every((item) => fits(items, item))
    )
  if (type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const fields = new Map(Object.entries(value))
    return (
      required.every((name) => fields.has(name)) &&
      [...fields].every(([name, part]) => {
        const declared = new Map(Object.entries(properties)).get(name)
        return declared !== undefined && fits(declared, part)
      })
    )
  }
  if (type === 'string')
    return (
      typeof value === 'string' &&
      [...value].length <= (shape.maxLength ?? 0) &&
      (shape.pattern === undefined || new RegExp(shape.pattern, 'u').test(value))
    )
  if (type === 'integer')
    return (
      Number.isInteger(value) &&
      Number(value) >= (shape.minimum ?? 0) &&
      Number(value) <= (shape.maximum ?? 0)
    )
  if (type === 'number') return Number.isFinite(value)
  return type === 'boolean' ? typeof value === 'boolean' : value === null
}

type Holder = Record<string, unknown> | unknown[]

export function holdersIn(value: unknown): Holder[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Holder, ...Object.values(value).flatMap(holdersIn)]
}
