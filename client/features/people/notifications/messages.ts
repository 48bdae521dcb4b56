// .github/product.md#texts defines the wording.

export const INVITATION = {
  notFound: {
    title: 'User Invitation not found',
    text: "We couldn't find an invitation associated with this user."
  },
  failed: "We couldn't process your request, try again later."
} as const

export const NOTIFICATION_SETTINGS = {
  loadFailed: 'An error occurred while fetching notification details.',
  saved: 'Notification setting updated.',
  saveFailed: 'An error occurred while Updating notification details.'
} as const
