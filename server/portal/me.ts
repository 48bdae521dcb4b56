// The caller, with what they may do: read again with every call.
import type { Me } from '#shared/entities.ts'
import { actionsOf, shownUser } from './bootstrap.ts'
import { DOCS } from './descriptions.ts'
import { type PortalRoutes, signedIn } from './request.ts'

export const meRoutes: PortalRoutes = async (app) => {
  app.get(
    '/me',
    { config: { id: 'portal.me', access: 'signed-in', docs: DOCS.me } },
    async (request): Promise<Me> => {
      const user = await signedIn(request.caller).rereadUser()
      return { user: shownUser(user), actions: actionsOf(user) }
    }
  )
}
