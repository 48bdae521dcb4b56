// First and family names that ordinary users are made of.

export const GIVEN_NAMES =
  `Aisha Alan Amara Anders Anjali Beatriz Ben Bianca Carlos Chloe Daniel Daria Diego Eleni Emeka Emma Farid Fiona
  Gabriel Greta Hana Hugo Imani Ivan Jana Jonas Julia Kaito Karim Katya Lena Liam Lin Lucia Maja Marco Maria Mateo
  Mei Nadine Nikhil Nora Olga Omar Oscar Pavel Priya Rafael Rosa Samir Sara Sofia Stefan Tara Theo Tomas Uma Victor
  Wei Yara Yusuf Zoe`.split(/\s+/)

export const FAMILY_NAMES =
  `Abebe Aguilar Bauer Becker Bianchi Campbell Castro Chen Costa Diallo Dubois Eriksen Fischer Flores Garcia Gupta
  Haddad Hansen Ito Ivanova Jensen Kaplan Kaur Kim Kowalski Larsen Lopez Mbeki Meyer Moreau Nakamura Nguyen Novak
  O'Brien Okoye Olsen Ortiz Patel Petrov Quinn Rahman Reyes Rossi Ruiz Sato Schmidt Silva Singh Tanaka Torres Usman
  Vargas Virtanen Walsh Weber Wójcik Yamada Yilmaz Zhang`.split(/\s+/)
