"""The words beside which secrets stand, in English and, less fully, in five other languages (V-39)."""

from __future__ import annotations

from ..patterns import regex

#: A password by any of its names; an identifier such as `db_password` counts with its head and its tail.
PASSWORD = regex(
    r"(?i)(?P<head>(?<![\w-])(?:--|\$|@|\.)?(?:[A-Za-z0-9]{1,24}[_.-]){0,4}[a-z0-9]{0,16}?)"
    r"(?P<word>pass ?words?|code ?words?|passwd|passwort|kennwort|losungswort|passphrase|pass ?code|mot de passe"
    r"|contrase[nñ]a|senha|parola|"
    r"wachtwoord|has[lł]o|l[oö]senord|adgangskode|пароль|密码|パスワード|"
    r"(?<![a-z0-9])(?:pw|pwd|psw|pword|passw|pass|mdp|clave)(?![a-z])|(?<=[_.-])(?:pass|pwd|pw)(?![a-z])|"
    r"(?:db|user|admin|root|mysql|pg|smtp|ftp|ssh|wifi|mail|sudo|login|my)(?:pass|pwd|pw)(?![a-z]))"
    r"(?P<tail>[\w-]{0,40}+)"
)
PASSWORD_CORE = regex(
    r"(?i)pass|pw|psw|code ?w|kennw|losung|mot de|contrase|senha|parola|wachtw|has[lł]o|l[oö]sen"
    r"|adgangs|парол|密码|パス|mdp|clave"
)
#: What may follow inside an identifier; anything else speaks of passwords (`password_hash`, `password_file`).
PASSWORD_TAIL = regex(
    r"(?i)(?:s|[_-]?(?:\d{1,4}|prod|production|dev|test|staging|stage|live|old|new|value|str|string"
    r"|plain|plaintext|text|env|admin|root|db)|"
    r"(?-i:_(?!FILE|HASH|HINT|POLICY|RESET|LENGTH|TTL|EXPIR|PATH|NAME|URL|ID|TYPE|ARN|REF|MIN|MAX"
    r"|FIELD)[A-Z]{1,12}\d?))?$"
)
#: Words after which a password is a subject, and none is given.
PASSWORD_TOPICS = regex(
    r"(?i)[\s_-]{0,3}(?:manager|hint|reminder|policy|policies|rules?|requirements?|reset|resets"
    r"|recovery|change|changes|length|strength|expiry|"
    r"expiration|history|field|fields|hash|hashes|hashing|column|file|files|vault|store|storage"
    r"|generator|prompt|dialog|form|input|"
    r"box|page|protected|protection|less|auth|authentication|login|logins|based|encryption|rotation"
    r"|database|table|type|"
    r"complexity|age|list|dump|leak|leaks|spray|attempt|attempts|check|checker|checks|validation"
    r"|validator|encoder|confirmation|"
    r"confirm|link|mail|email|question|questions|hygiene|security|screen|entry|entries|sharing|safe"
    r"|book|app|tool|must|may|can|cannot|"
    r"needs|gets|does|doesn't|isn't|wasn't|won't|expires|expired|vergessen|oublié|zurücksetzen|ändern"
    r"|muss|darf|soll|doit|debe)\b"
)
#: "The hint for the password is ..." gives none; "forgot" and "reset" tell of one that is not given.
PASSWORD_DENIED = regex(
    r"(?i)\b(?:hint|question|forgot|forgotten|(?<!n't )(?<!n’t )(?<!not )forget|reset|length of|strength of|expiry of"
    r"|format of"
    r"|hash of|rules? for|policy for|ask \w{1,20} for|"
    r"asks? for|asked for|prompt(?:s|ed)? for|without|vergessen|oublié|olvidé)\b[^.;!?]{0,40}$"
)

#: Networks have keys and codes that are passwords.
NETWORK_KEY = regex(
    r"(?i)\b(?:wi-?fi|wlan|wpa[23]?(?:-psk)?|wep|ssid|network|router|hotspot|netzwerk)\b[^\n.;]{0,30}?[ _-]"
    r"(?P<word>key|code|psk|schlüssel|clé|clave|passkey)\b(?P<tail>)|\bwpa[23]?-psk\b(?P<word2>)(?P<tail2>)"
)

#: Keys and tokens; `weak` is a word that has many other meanings.
SECRET = regex(
    r"(?i)(?P<head>(?<![\w-])(?:--|\$|@|_)?(?:[A-Za-z0-9./]{1,24}[_.:-]){0,4}[a-z0-9]{0,16}?)"
    r"(?P<word>(?:api|access|secret|private|auth|signing|encryption|client|app|application|consumer"
    r"|refresh|bearer|webhook|deploy|licen[cs]e|product|activation|"
    r"storage|account|shared|master|service|bot|personal|user|id|security|session|subscription"
    r"|instrumentation|integration|write|read|admin|csrf|crypto|hmac|jwt|"
    r"cookie|registry|runner|registration|private|push|publish|upload"
    r"|installation)[ _.-]{0,2}(?:access[ _-]?)?(?:api[ _-]?)?(?:key|token|secret)s?|"
    r"authtoken|apikey|secrets?|tokens?|credentials?|accesskey|secretkey|schlüssel|jeton|clé|"
    r"(?:mfa|2fa|totp|otp)[ _-]seed|(?<![a-z])key)"
    r"(?P<tail>[\w-]{0,40}+)"
)
SECRET_CORE = regex(r"(?i)key|(?:mfa|2fa|t?otp)[ _-]seed|token|secret|credential|schlüssel|jeton|clé")
SECRET_TAIL = regex(
    r"(?i)(?:s|[_-]?(?:\d{1,4}|base|prod|production|dev|test|staging|live|old|new|value|str|string"
    r"|plain|text|env|base64|hex|key|token|secret|access_?key)|"
    r"(?-i:_(?!FILE|HASH|HINT|POLICY|RESET|LENGTH|TTL|EXPIR|PATH|NAME|URL|ID|TYPE|ARN|REF|MIN|MAX"
    r"|FIELD)[A-Z]{1,12}\d?))?$"
)
SECRET_TOPICS = regex(
    r"(?i)[\s_-]{0,3}(?:id|ids|name|names|ref|path|type|types|limit|limits|count|usage|budget|bucket"
    r"|length|file|url|uri|endpoint|ttl|expiry|expires|rotation|"
    r"manager|ring|store|hash|format|prefix|scheme|fingerprint|digest|size|version|pair|board|word"
    r"|words|shortcut|santa|sauce|findings?)\b"
)
#: Alone these words say little; only what is long and looks like chance stands beside them as a secret.
WEAK_WORDS = frozenset(
    {"key", "keys", "token", "tokens", "schlüssel", "clé", "credential", "credentials", "jeton", "secrets"}
)
#: Keys that are no secrets: of tables, caches, issues, and the public halves.
NO_SECRET_HEAD = regex(
    r"(?i)(?<![a-z])(?:public|primary|foreign|partition|sort|cache|unique|composite|index|object|s3"
    r"|map|dict|json|yaml|row|lookup|routing|"
    r"project|issue|jira|host|registry|registered|hash|idempotency|dedup|state|fingerprint of the"
    r"|hash of the|digest of the|id of the|name of the|address of the|shortcut|publishable"
    r"|pub|site|csrf|xsrf|next|page|continuation|sync|"
    r"cursor|max|min|stop|eos|bos|pad|mask|unk|special|prompt|completion|input|output|total|total_used"
    r"|tracking|trace|request|correlation)[ _.:-]{0,3}$"
)

PIN = regex(
    r"(?P<word>(?i:\b(?:pass ?code|pin ?(?:code|number|nummer|nr)|geheimzahl|code pin|código pin)\b)"
    r"|\bPINs?\b|(?i:\bpin\b))(?P<tail>)"
)
PIN_BEFORE = regex(
    r"(?i)\b(?:card|sim|phone|mobile|handy|bank|atm|debit|credit|voicemail|alarm|door|safe|my|her|his"
    r"|the|our|their|your|mein|new|screen|tablet|account|code|a|le|el|sein|ihr|die)\s{1,2}$"
)
PIN_DENIED = regex(
    r"(?i)\b(?:postal|zip|area|delivery|gpio|jumper|header|board|socket|connector|input|output|led)\s{1,2}$"
)

#: Codes that open something, or let somebody in.
CODE = regex(
    r"(?i)\b(?P<word>(?:door|gate|alarm|entry|access|lock|lockbox|locker|safe|garage|security|unlock"
    r"|keypad|building|elevator|house|front door|"
    r"voicemail|disarm|verification|verify|login|one[ -]time|2fa|mfa|two[ -]factor|authentication"
    r"|authenticator|sms|pairing|parental|gun ?safe|padlock|bike lock|suitcase|luggage|vault|key ?box"
    r"|phone|screen|ipad|tablet)"
    r"[ -](?:code|pin|combination|combo|passcode|number lock)|(?:door|gate|garage|alarm)[ -](?:keypad|panel)(?: code)?"
    r"|(?:safe|door|gate|alarm|garage|lock"
    r"|phone)'s (?:code|pin|combination|combo|passcode)|"
    r"(?:code|combination|combo) (?:for|to|of|on|to unlock|to open|to get into|to enter"
    r"|to disarm) (?:the|my|our|his|her|their) (?:front |back |side "
    r"|main |garden |bike )?(?:door|gate|alarm|garage|safe|lock|lockbox|building|house|locker|shed"
    r"|apartment|flat|office|suitcase|phone|tablet|ipad|laptop)|otp(?: code)?|combination (?:to|of|for"
    r"|on) the [\w ]{1,24}"
    r"|combo (?:to|of|for|on) the [\w ]{1,24}|"
    r"türcode|zugangscode|tresorcode|alarmcode|digicode|code d'entrée|código de (?:acceso|entrada"
    r"|seguridad)|código de la (?:puerta|alarma|caja fuerte)|code (?:de la porte|du portail"
    r"|de l'immeuble|de l'alarme|du coffre)"
    r"|code (?:für|zur|zum|der|des) (?:die |den |das )?(?:tür|haustür|tor|garage|alarmanlage|tresor|safe))\b(?P<tail>)"
)

RECOVERY = regex(
    r"(?i)\b(?P<word>(?:backup|back-up|recovery|rescue|scratch|emergency|bitlocker|filevault)"
    r"(?: backup| recovery| verification)?[ _-](?:codes?|keys?))\b(?P<tail>)"
)

SESSION = regex(
    r"(?i)(?<![\w.-])(?P<word>session[ _-]?(?:id|token|cookie|key)|sessionid|sess(?:ion)?|sid"
    r"|phpsessid|jsessionid|connect\.sid|asp\.net_sessionid|"
    r"laravel_session|_gitlab_session|_[a-z]{2,20}_session|remember_(?:me|token|user_token)"
    r"|auth[ _-]?(?:cookie|session)|__(?:secure|host)-[\w.-]{2,40}|"
    r"csrftoken|li_at|xs|datr|access_token_cookie|wordpress_logged_in_\w{1,40}|user_session)(?![\w-])(?P<tail>)"
)

DOCUMENT = regex(
    r"(?i)\b(?P<word>passport|passeport|pasaporte|reisepass|personalausweis|ausweis"
    r"|driver'?s?[ ’]{0,1}s? licen[cs]e|driving licen[cs]e|drivers licen[cs]e|führerschein|"
    r"permis de conduire|licencia de conducir|national (?:id|insurance)|ni number|id card"
    r"|identity card|dni|nie|nif|steuer-?id(?:entifikationsnummer)?|steueridentifikationsnummer|"
    r"sozialversicherungsnummer|versicherungsnummer|tax id|tax(?:payer)? (?:id|identification)|tin"
    r"|medicare|nhs|aadhaar|pan card|social insurance|sin|green card|visa|carte d'identité|"
    r"numéro de sécurité sociale|codice fiscale|bsn|ahv|curp|cpf|dl)\b(?P<tail>)"
)
