import t from 'tap'
import * as limits from '#shared/limits.ts'
import * as messages from '#shared/messages.ts'

t.test('the failures of the HTTP mapping are told word for word', async (t) => {
  const network = { title: 'Network Connectivity Failed', text: 'Unable to get the details.' }
  const other = {
    title: 'Something went wrong',
    text: "Sorry, there's a problem connecting to the data service right now, Please try again."
  }
  const cases: [status: number, message: messages.Message][] = [
    [400, other],
    [401, other],
    [403, other],
    [404, other],
    [408, other],
    [410, other],
    [498, other],
    [500, other],
    [502, other],
    [505, other],
    [499, network],
    [503, network],
    [504, network],
    [409, { title: 'Data Conflict found', text: 'Unable to complete the request due to a conflict.' }]
  ]
  for (const [status, message] of cases) t.strictSame(messages.messageForStatus(status), message, `${status}`)
  t.equal(messages.FAILURES.cancelled.text, 'Operation is manually cancelled by user.')
})

t.test('single texts are those of the specification', async (t) => {
  const texts: [given: string, expected: string][] = [
    [messages.NOT_AUTHENTICATED, 'user is not authenticated'],
    [messages.CUSTOMER_NOT_SET, 'currentCustomer is not set'],
    [messages.NO_CUSTOMERS, 'No Customers Added'],
    [
      messages.NO_PROJECTS,
      'No data available. This customer has no projects yet, please create a new project to proceed.'
    ],
    [messages.NO_DEVICES, 'No Devices Registered'],
    [messages.NO_DEVICES_HINT, 'Go to the devices registration page to generate a registration link'],
    [messages.PAGE_NOT_FOUND, 'Page Not Found']
  ]
  for (const [given, expected] of texts) t.equal(given, expected)
})

t.test('the numbers are those of the specification', async (t) => {
  t.match(limits, {
    PROJECT_NAME_MAX_CHARACTERS: 50,
    DEVICE_NAME_MAX_CHARACTERS: 50,
    LOCATION_MAX_CHARACTERS: 50,
    DEVICE_PAGE_SIZE: 15,
    DEVICE_PAGE_SIZE_MOBILE: 10,
    FETCH_PAGE_SIZE: 1000,
    USER_PAGE_SIZE: 15,
    CUSTOMER_PAGE_SIZE: 20,
    CUSTOMER_RELOAD_MS: 900_000,
    TOAST_MS: 5_000,
    EXPIRY_DANGER_DAYS: 7,
    EXPIRY_WARNING_DAYS: 30,
    SESSION_NOTICE_SECONDS: 60,
    VERSION_LINE: '1.0'
  })
})
