// Texts of failures, for the gateway and for screens. .github/product.md#texts defines their wording.

export interface Message {
  title: string
  text: string
}

/** Titles and texts of failed calls. */
export const FAILURES = {
  network: { title: 'Network Connectivity Failed', text: 'Unable to get the details.' },
  conflict: { title: 'Data Conflict found', text: 'Unable to complete the request due to a conflict.' },
  cancelled: { title: 'Cancelled', text: 'Operation is manually cancelled by user.' },
  other: {
    title: 'Something went wrong',
    text: "Sorry, there's a problem connecting to the data service right now, Please try again."
  }
} as const satisfies Record<string, Message>

/** The message for an HTTP status. 499: the client disconnected. */
export function messageForStatus(status: number): Message {
  if (status === 504 || status === 503 || status === 499) return FAILURES.network
  return status === 409 ? FAILURES.conflict : FAILURES.other
}

/** For users whose account or roles have changed. */
export const ACCOUNT_REFUSED = 'Your account can no longer use this portal. Contact your administrator.'

/** Error codes that screens distinguish. `lastAdmin` comes from the gateway, all others from upstreams. */
export const CODES = {
  duplicateProject: 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS',
  notFound: 'notFound',
  expired: 'expired',
  lastAdmin: 'LAST_ADMIN'
} as const
