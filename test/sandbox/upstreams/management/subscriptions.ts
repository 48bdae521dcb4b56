// The services that a customer's devices have subscribed to. Nothing here changes them.
import { params, type Upstream } from '../../api/upstream.ts'
import { organizationOf } from './organizations.ts'

export const subscriptions: Upstream = (api, state) => {
  api.get('/api/v1/subscription/customers/:id', async (request) => {
    const customer = organizationOf(state, params(request).id)
    return state.subscriptions.get(customer.id) ?? []
  })
}
