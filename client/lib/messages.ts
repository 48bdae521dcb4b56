// Texts of several features. .github/product.md#texts defines the wording of some.

export const ACCESS_CHANGED =
  'Your access has changed. Some pages and actions are no longer available. Contact your administrator if you need them.'
/** The text of the error after a 401, which leads to a silent renewal and then to sign-in. */
export const NOT_AUTHENTICATED = 'user is not authenticated'
export const CUSTOMER_NOT_SET = 'currentCustomer is not set'

/** Texts of empty lists and pages. */
export const NO_CUSTOMERS = 'No Customers Added'
export const NO_PROJECTS =
  'No data available. This customer has no projects yet, please create a new project to proceed.'

export const PAGE_NOT_FOUND = 'Page Not Found'

/** Shown while devices have no subscriptions only because the gateway could not read them. */
export const SUBSCRIPTIONS_UNREAD = 'Subscriptions could not be read'
export const SERVICES_UNKNOWN = `${SUBSCRIPTIONS_UNREAD}. Which services are active is not known.`

/** @param part which devices are meant, if not all, for example " in this project" */
export const devicesAreSaved = (part = ''): string =>
  `Every device with Recover${part} has a good backup of the last 30 days`

export const VALIDATION = {
  symbols: 'Symbols like *,<,>,/ are not allowed.',
  email: 'Invalid Email',
  tooLong: (characters: number) => `Maximum allowed characters is ${characters}`
} as const
