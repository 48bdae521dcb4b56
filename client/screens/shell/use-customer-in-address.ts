import { useMatch } from 'react-router-dom'
import { paths } from '../../paths.ts'

/** The path of the customer whose page is open; null on other pages. */
export function useCustomerInAddress(): string | null {
  const own = useMatch('/customers/:customerId/*')?.params
  const ofIntegrator = useMatch('/integrators/:organizationId/customers/:customerId/*')?.params
  const { customerId, organizationId } = { organizationId: undefined, ...(ofIntegrator ?? own) }
  return customerId ? paths.customer(customerId, organizationId) : null
}
