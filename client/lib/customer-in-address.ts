import { useMatch } from 'react-router-dom'

interface CustomerInAddress {
  customerId?: string | undefined
  organizationId?: string | undefined
}

/** The customer whose page is open and, for a global admin, the customer's integrator. Empty on other pages. */
export function useCustomerInAddress(): CustomerInAddress {
  const params = useMatch('/customers/:customerId/*')?.params
  return useMatch('/integrators/:organizationId/customers/:customerId/*')?.params ?? params ?? {}
}
