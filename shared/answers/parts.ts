// Parts of answer schemas. The gateway's own endpoints answer only with fields that their schema names; forwarded answers are not
// checked at run time.
import Type, { type Static, type TProperties, type TSchema } from 'typebox'

const described = (description?: string) => (description === undefined ? {} : { description })

export const text = (description?: string) => Type.String(described(description))
export const texts = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, text()])) as Record<K, ReturnType<typeof text>>
export const textOrNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...described(description) })
/** ISO 8601 UTC. */
export const time = (description?: string) => Type.String({ format: 'date-time', ...described(description) })
export const timeOrNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', ...described(description) })
export const numberOrNull = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], ...described(description) })
export const count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) })
export const countOrNull = () => Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })
export const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Enum([...values], { type: 'string', ...described(description) })
export const optional = Type.Optional
export const anything = Type.Unknown()

/** An object schema that becomes a named component in openapi.json. */
export const named = <P extends TProperties>($id: string, properties: P) => Type.Object(properties, { $id })

/** A HAL link. */
export const Href = named('Href', { href: text() })

/** The position of a page in its list. */
export const PageNumbers = named('Page', {
  number: count('Number of the page, from 0.'),
  size: count(),
  totalPages: count(),
  totalElements: count()
})

/** A page of the gateway's own lists. */
export const pageOf = <T extends TSchema>(item: T) => ({ items: Type.Array(item), page: PageNumbers })
export interface Page<T> {
  items: T[]
  page: Static<typeof PageNumbers>
}
