"""Words that stand where a secret could stand, and are none (V-39)."""

from __future__ import annotations

#: What a form or a program has in the place of a value.
NAMES_OF_GAPS = frozenset(
    """
    none null nil undefined void true false string str text varchar int integer number bool boolean bytes any object
    secretstr optional required obligatory mandatory hidden masked unknown empty blank tbd n/a na todo redacted removed
    password passwd passwort kennwort contraseña contrasena pass pwd token secret key value username user login email
    name prompt input default changeme unset disabled enabled protected encrypted private public abc foo bar baz foobar
    apikey api_key pw test-password bearer basic digest api-key password_here *** siehe see voir ver
    obligatoire obligatoria obligatorio erforderlich pflichtfeld requis valor wert valeur
    """.split()
)

#: Words that go on with a sentence about passwords; also what a password "is" without being given.
PROSE = frozenset(
    """
    a an the this that these those my your his her its our their no not never none any some each every all both same
    it i you he she we they me him us them who what which where when why how whose there here
    is are was were be been being am do does did done has have had having will would shall should can could may
    might must of to in on at by for from with without
    within into onto over under via per about against between through during
    and or but nor so if then else than as because since until while unless although though whether
    too very quite rather really already still just only also even again soon now later today tomorrow yesterday always
    often sometimes usually currently temporarily probably maybe perhaps likely basically actually apparently simply
    up down out off away back forward see ask use used using read call contact check look find get got set reset change
    changed keep kept stored saved sent written printed shown given known needed required optional missing empty blank
    wrong right correct incorrect valid invalid good bad weak strong secure insecure safe unsafe long short longer
    shorter old new older newer fine ok okay okey different similar identical unique random simple complex complicated
    easy hard difficult tricky obvious strange weird odd funny stupid silly ridiculous important sensitive confidential
    private public secret unknown unclear clear case plain plaintext cleartext default standard custom temporary
    permanent personal shared common usual normal special local remote global internal external current previous
    next last first second third final initial original actual real fake true false active inactive enabled disabled
    available unavailable accessible visible invisible hidden masked lost forgotten broken dead gone due overdue
    expired stale fresh ready pending late early enough sufficient minimum maximum min max mandatory obligatory
    necessary possible impossible subject part one two three four five six seven eight nine ten least most more less
    many few several half alphanumeric numeric alphabetic lowercase uppercase hexadecimal base memorable rotated
    hashed salted encrypted unencrypted case-sensitive mine yours hers theirs someone somebody everyone everybody nobody
    something anything nothing everything elsewhere somewhere anywhere nowhere inside outside above below there's
    stolen leaked compromised breached exposed crap garbage rubbish irrelevant relevant legacy obsolete history
    bitwarden lastpass keepass keepassxc onepassword 1password dashlane vault keychain keyring okta auth0 authelia
    system root admin-only user-specific machine-generated auto-generated
    der die das den dem des ein eine einen einem einer kein keine nicht noch nur schon sehr zu im in am an auf aus bei
    mit nach von vor für und oder aber falsch richtig korrekt abgelaufen leer neu alt sicher unsicher stark schwach lang
    kurz siehe gleich dieselbe dasselbe geheim bekannt unbekannt weg hier dort jetzt immer nie wieder muss darf soll
    le la les un une des du de pas ne au aux dans sur sous avec sans trop très plus moins incorrect expiré oublié
    obligatoire correct même faible fort sécurisé requis stocké
    el los las una del al no en con sin por muy más menos incorrecta incorrecto correcta caducada obligatoria misma
    mismo segura débil fuerte larga corta guardada nueva vieja valor éxito constancia
    il lo gli nel nella è e con senza sbagliata scaduta obbligatoria stessa qualità
    obrigatória incorreta errada vergeten verplicht fout
    """.split()
)

#: Endings of participles and adjectives, of what is done with a password or how it is.
PROSE_ENDINGS = (
    "ed",
    "ing",
    "able",
    "ible",
    "ive",
    "ful",
    "less",
    "ous",
    "ical",
    "ly",
    "ized",
    "ised",
    "ected",
    "ance",
    "ency",
    "ation",
    "iert",
    "bar",
    "lich",
)

#: What stands beside a password and says how it is stored, not what it is.
TECHNICAL = frozenset(
    """
    sha1 sha256 sha512 sha-256 sha-512 md5 bcrypt argon2 argon2id argon2i scrypt pbkdf2 base64 utf8 utf-8 ascii oauth2
    oauth 2fa mfa totp aes256 aes-256 aes-256-gcm rsa2048 rsa4096 ed25519 hs256 rs256 es256 http1 http2 python3 php8 es6
    kerberos ldap saml sso pam plain-text md4 crypt ntlmv2 x509 pkcs12 wpa2 wpa3 wpa2-psk 1password auth0 keepass2 oidc
    lastpass bitwarden keepass keepassxc onepassword dashlane hashicorp github gitlab
    """.split()
)

#: What a number counts, where it is a rule and no password.
UNITS = frozenset(
    """
    character characters chars char digit digits letter letters symbol symbols number numbers word words bit bits byte
    bytes day days week weeks month months year years hour hours hr hrs minute minutes min mins second seconds sec ms
    time times attempt attempts try tries failed percent % long zeichen stellen ziffern buchstaben tage monate stunden
    minuten jahre wochen mal caractères caracteres chiffres jours mois heures dígitos días meses horas user users
    account accounts entries items rows people left remaining or
    """.split()
)
