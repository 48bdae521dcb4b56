// Notifications: a few dozen for each sample user. Some contain markup or unknown placeholders.
import type { NotificationRecord, UserRecord } from '../records/people.ts'
import { SIGN_INS } from '../sign-ins.ts'
import { seedOf } from '../simulation/chance.ts'
import { customersOf, type State } from '../state.ts'
import { NOTABLE } from './notable.ts'
import { type Random, randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const HOUR_MS = 3_600_000

type Text = [subject: string, content: string]

const ABOUT_ACCOUNTS: Text[] = [
  [
    'Service account secret expires soon',
    'The secret of service account {service_account_name} expires in {number_of_days_for_expiry} days. Generate a new one.'
  ],
  [
    'Service account secret has expired',
    'The secret of {service_account_name} has expired. Programs that use it are refused.'
  ],
  [
    'Service account was changed',
    'The roles of <b>{service_account_name}</b> were changed. Request {request_number} has the details.'
  ]
]
const ABOUT_SUBSCRIPTIONS: Text[] = [
  [
    'Subscription expires soon',
    'The subscription {subscription_name} expires in {number_of_days_for_expiry} days. Renew it at {licensing_website_link}.'
  ],
  [
    'Subscription has expired',
    'The subscription {subscription_name} has expired. See {licensing_website_link}'
  ],
  [
    'Data usage is approaching the limit',
    'Devices of customer {customer_id} have used most of their plan. <script>alert("no")</script>'
  ],
  [
    'Maintenance tonight & tomorrow',
    "Histories may arrive late between 01:00 and 03:00 UTC.\nNothing is lost. We're sorry, {greeting}."
  ]
]
const SUBSCRIPTIONS = ['NDS', 'Remote', 'Recover']
const SAMPLE_USERS = new Set(SIGN_INS.map((signIn) => `u-${signIn.username.replace('.', '-')}`))

export function notificationsFor(state: State, user: UserRecord): NotificationRecord[] {
  if (user.roleAssignments.length === 0) return []
  const random = randomFrom(seedOf(user.id))
  const count = SAMPLE_USERS.has(user.id) ? 34 + random.below(20) : random.below(6)
  const today = startOfDay(state.startedMs)
  let ageHours = 1
  return Array.from({ length: count }, (_, index) => {
    ageHours += 1 + random.below(48)
    return {
      notificationId: `n-${user.id.slice(2)}-${index + 1}`,
      ...messageFor(state, user, index, random),
      generatedDate: new Date(today - ageHours * HOUR_MS - random.below(HOUR_MS)).toISOString(),
      readStatus: index > 2 && random.below(5) > 1
    }
  })
}

function messageFor(state: State, user: UserRecord, index: number, random: Random) {
  const customerId = customerOf(state, user, random)
  const days = String(random.pick([1, 3, 7, 8, 14, 30]))
  const randomAccount = random.pick([...state.serviceAccounts.of(customerId), null])
  const account = index % 2 === 0 ? randomAccount : null
  const [subject, content] = random.pick(account ? ABOUT_ACCOUNTS : ABOUT_SUBSCRIPTIONS)
  const namesDays = content.includes('{number_of_days_for_expiry}')
  return {
    subject,
    content,
    substitutions: {
      number_of_days_for_expiry: namesDays ? days : null,
      service_account_id: account?.id ?? null,
      service_account_name: account?.serviceName ?? null,
      subscription_name: account ? null : random.pick(SUBSCRIPTIONS),
      customer_id: customerId,
      licensing_website_link: account ? null : 'https://licensing.example/renew'
    }
  }
}

function customerOf(state: State, user: UserRecord, random: Random): string {
  const organization = state.organizations.get(user.organizationId ?? NOTABLE.partner)
  if (organization?.partnerId) return organization.id
  if (random.below(3) === 0) return NOTABLE.northwind
  return random.pick(customersOf(state, organization?.id ?? NOTABLE.partner)).id
}
