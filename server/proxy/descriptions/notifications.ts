// What is told of notifications and their preferences (§7). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { json, text, time, UpstreamPage, yesNo } from './shapes.ts'

const anything = Type.Optional(Type.Unknown())

const Preferences = Type.Array(
  Type.Object(
    {
      eventTypeId: Type.Enum([1, 2], {
        type: 'integer',
        description: '1 subscription updates, 2 service account updates.'
      }),
      notificationType: Type.Enum(['email'], { type: 'string' }),
      subscribe: yesNo
    },
    { $id: 'NotificationPreference' }
  )
)
const PREFERENCES = [
  { eventTypeId: 1, notificationType: 'email', subscribe: true },
  { eventTypeId: 2, notificationType: 'email', subscribe: false }
]
const preferences = { 200: json('All preferences.', Preferences, PREFERENCES) }

const Notification = Type.Object(
  {
    notificationId: text,
    subject: text,
    content: Type.String({ description: 'With {placeholders} named as in `substitutions`.' }),
    generatedDate: time,
    readStatus: yesNo,
    substitutions: Type.Object(
      {
        number_of_days_for_expiry: anything,
        service_account_id: anything,
        service_account_name: anything,
        subscription_name: anything,
        customer_id: anything,
        licensing_website_link: anything
      },
      { additionalProperties: true }
    )
  },
  { $id: 'Notification' }
)

export const notifications: Area = area(
  'Notifications',
  "The caller's own notifications, and which of them are sent by e-mail.",
  {
    'notifications.preferences': { summary: "Get the caller's preferences", answers: preferences },
    'notifications.change-preferences': {
      summary: "Change the caller's preferences",
      example: PREFERENCES,
      answers: preferences
    },
    'notifications.list': {
      summary: "List the caller's notifications",
      answers: {
        200: json(
          'One page of notifications.',
          Type.Object({ content: Type.Array(Notification), page: UpstreamPage }),
          {
            content: [
              {
                notificationId: 'n-1',
                subject: 'Service account expires',
                content: 'The secret of {service_account_name} expires in {number_of_days_for_expiry} days.',
                generatedDate: '2025-06-12T12:05:31.120Z',
                readStatus: false,
                substitutions: { service_account_name: 'Energy report', number_of_days_for_expiry: '7' }
              }
            ],
            page: { number: 0, size: 20, totalPages: 1, totalElements: 1 }
          }
        )
      }
    },
    'notifications.mark': {
      summary: "Mark the caller's notifications",
      example: { readStatus: true, readAllNotifications: false, notificationIds: ['n-1'] },
      answers: { 200: { description: 'Done.' } }
    }
  }
)
