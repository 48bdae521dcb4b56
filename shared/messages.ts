// Every text of §8, and the few of §2 that both sides or several screens show. One place each, word for word.

export interface Message {
  title: string
  text: string
}

/** §8 'HTTP mapping' and 'Generic'. The default text of other errors is not given by the specification. */
export const FAILURES = {
  network: { title: 'Network Connectivity Failed', text: 'Unable to get the details.' },
  conflict: { title: 'Data Conflict found', text: 'Unable to complete the request due to a conflict.' },
  cancelled: { title: 'Cancelled', text: 'Operation is manually cancelled by user.' },
  other: {
    title: 'Something went wrong',
    text: "Sorry, there's a problem connecting to the data service right now, Please try again."
  }
} as const satisfies Record<string, Message>

/** §8: the message for an HTTP status; 499 is a call that its caller gave up. */
export function messageForStatus(status: number): Message {
  if (status === 504 || status === 503 || status === 499) return FAILURES.network
  return status === 409 ? FAILURES.conflict : FAILURES.other
}

export const NOT_AUTHENTICATED = 'user is not authenticated'
export const CUSTOMER_NOT_SET = 'currentCustomer is not set'

/** §2: empty states, word for word. */
export const NO_CUSTOMERS = 'No Customers Added'
export const NO_PROJECTS =
  'No data available. This customer has no projects yet, please create a new project to proceed.'
export const NO_DEVICES = 'No Devices Registered'
export const NO_DEVICES_HINT = 'Go to the devices registration page to generate a registration link'
export const PAGE_NOT_FOUND = 'Page Not Found'

/** Not in the specification: a failed subscription fetch yields none (§4), and the screen says so. */
export const SUBSCRIPTIONS_MISSING = 'Subscriptions could not be loaded. Service links may be incomplete.'
