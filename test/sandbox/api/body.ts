// Reads the fields of a body. A wrong field throws a 400 that names the field.
import { malformed } from './problems.ts'

export function objectBody(request: { body: unknown }): Record<string, unknown> {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw malformed('a JSON object is expected')
  return body as Record<string, unknown>
}

export function textField(body: Record<string, unknown>, field: string, maxLength: number): string {
  const value = body[field]
  if (typeof value !== 'string' || value.trim() === '') throw malformed(`${field} is required`, field)
  if (value.length > maxLength) throw malformed(`${field} is longer than ${maxLength} characters`, field)
  return value
}

const NAME = /^[A-Za-z0-9\-_&,.'` ]+$/

export function nameField(body: Record<string, unknown>, field: string, maxLength: number): string {
  const value = textField(body, field, maxLength)
  if (!NAME.test(value)) throw malformed(`${field} contains symbols that are not allowed`, field)
  return value
}

/** A text field that may be missing or empty. */
export function optionalText(body: Record<string, unknown>, field: string, maxLength: number): string {
  const isEmpty = body[field] === undefined || body[field] === null || body[field] === ''
  return isEmpty ? '' : textField(body, field, maxLength)
}

export function oneOf<T extends string>(
  body: Record<string, unknown>,
  field: string,
  choices: readonly T[]
): T {
  const match = choices.find((choice) => choice === body[field])
  if (match === undefined) throw malformed(`${field} must be one of ${choices.join(', ')}`, field)
  return match
}

export function booleanField(body: Record<string, unknown>, field: string): boolean {
  const value = body[field]
  if (typeof value !== 'boolean') throw malformed(`${field} must be true or false`, field)
  return value
}

export function textList(body: Record<string, unknown>, field: string): string[] {
  const value = body[field]
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    throw malformed(`${field} must be a list of texts`, field)
  return value
}

export function objectList(body: Record<string, unknown>, field: string): Record<string, unknown>[] {
  const value = body[field]
  if (!Array.isArray(value)) throw malformed(`${field} must be a list`, field)
  return value.map((item) => objectBody({ body: item }))
}

/** An ISO 8601 time, in milliseconds since the epoch. */
export function timeField(body: Record<string, unknown>, field: string): number {
  const value = body[field]
  const timeMs = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(timeMs)) throw malformed(`${field} must be an ISO 8601 time`, field)
  return timeMs
}

/** The last segment of a link such as `/projects/{id}`. */
export function linkField(body: Record<string, unknown>, field: string, kind: string): string {
  const value = body[field]
  const [, id] = typeof value === 'string' ? (value.match(new RegExp(`^/${kind}/([^/]+)$`)) ?? []) : []
  if (!id) throw malformed(`${field} must be a link /${kind}/{id}`, field)
  return id
}

/** A BACnet priority, 1 to 255. */
export function priorityField(body: Record<string, unknown>, field: string): number {
  const value = body[field]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 255)
    throw malformed(`${field} must be a whole number from 1 to 255`, field)
  return value
}
