// Schemas of notifications and notification preferences in answers of the notification APIs.
import Type, { type Static } from 'typebox'
import { named, texts, time } from './parts.ts'

export const Preference = named('NotificationPreference', {
  eventTypeId: Type.Integer({ description: '1: subscription updates, 2: service-account updates.' }),
  notificationType: Type.String({ examples: ['email'] }),
  subscribe: Type.Boolean()
})
export type Preference = Static<typeof Preference>

export const Notification = named('Notification', {
  ...texts('notificationId', 'subject'),
  content: Type.String({ description: 'Text with {placeholders}, which are the keys of `substitutions`.' }),
  generatedDate: time(),
  readStatus: Type.Boolean(),
  substitutions: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: true,
    description:
      '`number_of_days_for_expiry`, `service_account_id`, `service_account_name`, `subscription_name`, `customer_id`, `licensing_website_link`, if the notification has them.'
  })
})
export type Notification = Static<typeof Notification>
