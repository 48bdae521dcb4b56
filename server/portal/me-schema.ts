// The shape of who the caller is, as JSON Schema for openapi.json; answers are never checked or trimmed by it.
import Type from 'typebox'
import { nullable } from './schemas.ts'

export const MeSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      organizationId: nullable('Where the user belongs.'),
      organizationName: nullable('Its name.'),
      fullName: Type.String(),
      email: nullable('For people.'),
      userType: Type.Enum(['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED'], { type: 'string' }),
      roleAssignments: Type.Array(
        Type.Object({
          id: Type.String(),
          role: Type.String(),
          scope: Type.String({ description: 'It holds there and below.', examples: ['/organizations/1'] })
        })
      )
    }),
    actions: Type.Array(Type.String(), { description: 'What the roles allow somewhere.' })
  },
  { $id: 'Me' }
)
