import { CustomersPage } from '../features/customers/customers-page.tsx'
import { UnsubscribePrompt } from '../features/notifications/unsubscribe-prompt.tsx'

/** Where the link in an e-mail leads: the customer list, with the question on top (§2, §4). */
export default function Unsubscribe() {
  return (
    <>
      <CustomersPage />
      <UnsubscribePrompt />
    </>
  )
}
