// Parameters that several aggregated endpoints accept.
import type { TSchema } from 'typebox'
import { oneOf } from '#shared/answers/parts.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { closed, id, pageNumber, text, whole } from '../schemas.ts'

const customerId = id('Id of the customer.', '9')
const deviceUuid = id('Uuid of the device.', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80')
export const withDefault = <T extends TSchema>(schema: T, value: unknown): T => ({
  ...schema,
  default: value
})
export const page = withDefault(pageNumber, 0)
export const pageSize = (size: number) =>
  withDefault(whole(1, PAGE_SIZE_MAX, 'Maximum number of items on a page.'), size)
export const orderWithDefault = (value: 'asc' | 'desc') =>
  withDefault(oneOf(['asc', 'desc'], 'Ascending or descending.'), value)
/** Default and maximum number of results of a search over customers. */
const SEARCH_SIZE = 10
const SEARCH_SIZE_MAX = 50
const KEYWORD_MAX_CHARACTERS = 200
export const optionalText = (description: string) =>
  withDefault(text(KEYWORD_MAX_CHARACTERS, description), '')
export const requiredText = (description: string) =>
  text(KEYWORD_MAX_CHARACTERS, description, { minLength: 1 })
export const resultCount = withDefault(whole(1, SEARCH_SIZE_MAX, 'Maximum number of results.'), SEARCH_SIZE)

export const OrganizationParams = closed({
  organizationId: id('Id of the integrator, or of the customer that the caller belongs to.', '1')
})
export const CustomerParams = closed({ customerId })
export const DeviceParams = closed({ customerId, deviceUuid })
