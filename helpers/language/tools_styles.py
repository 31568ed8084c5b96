"""Formats, conventions and policies, by purpose (see `tools`)."""

from __future__ import annotations

from typing import Final

from .purpose import Purpose

STYLES: Final[dict[str, Purpose]] = {
    "compression": Purpose(
        "gzip=gz zstd=zstandard lz4 snappy brotli xz=lzma bzip2 zip 7-zip=7z deflate lzo tar.gz",
        "compress=compression=compressed ?archive=archives",
        "algorithm format pack codec file files",
    ),
    "file format": Purpose(
        "csv json jsonl=json_lines=ndjson xml yaml toml parquet avro orc protobuf=protocol_buffers"
        " msgpack=messagepack excel=xlsx feather=arrow tsv bson cbor hdf5 ini edifact pdf html markdown=md"
        " restructuredtext=rst asciidoc latex docx sqlite geojson webp png jpeg=jpg avif svg gif mp4 webm mp3"
        " flac wav ogg=opus",
        "export=exports ?format=formats ?file=files log=logs config=configuration=settings report=reports"
        " message=messages=payload=payloads response=responses dump=dumps output=outputs result=results"
        " image=images=thumbnail=thumbnails=picture document=documents doc=docs=documentation=readme"
        " event=events feed=feeds data dataset=datasets=table note=notes video=videos audio",
        "write deliver send produce save store serialise serialize generate encode return come emit",
    ),
    "versioning": Purpose(
        "semantic_versioning=semver calendar_versioning=calver=date-based_versioning zerover romantic_versioning",
        "release=releases=version=versions=versioning",
        "scheme follow number numbered use",
    ),
    "commit style": Purpose(
        "conventional_commits=conventional_commit gitmoji angular_convention free-form=free_form",
        "commit=commits message=messages",
        "follow style convention format write use write",
    ),
    "branching": Purpose(
        "trunk-based_development=trunk-based git_flow=gitflow github_flow gitlab_flow feature_branches"
        " release_branches",
        "branch=branching=branches workflow=development=git",
        "model strategy follow work use develop",
    ),
    "way of working": Purpose(
        "scrum kanban scrumban extreme_programming=xp waterfall shape_up safe lean",
        "work=works=working process=methodology=method project",
        "follow manage organise run agile plan planning according",
    ),
    "merging": Purpose(
        "squash=squash_merge=squash_merging=squashing=squash_merges=squashed=squash-merge=squash_and_merge"
        " rebase=rebasing=rebase_merge=rebased=rebases merge_commit=merge_commits=real_merges"
        " fast-forward=fast-forward_merges=fast-forwarding",
        "pull=pr=prs=request=requests=mr=mrs=merge=merges=merged=merging=branch=branches",
        "method strategy do into feature use policy only",
    ),
    "keys": Purpose(
        "uuid=uuids uuidv7=uuid_v7 uuidv4=uuid_v4"
        " auto-increment=auto-increment_integers=auto-incrementing_integers=autoincrement=auto-increment_ids"
        " serial=bigserial=bigserials ulid=ulids snowflake_ids nanoid=nanoids ksuid=ksuids bigint=bigints"
        " integers=integer=ints cuid=cuids natural_keys",
        "id=ids=identifier=identifiers=key=keys=pk",
        "primary type generate use",
    ),
    "naming": Purpose(
        "camelcase=camel_case snake_case=snakecase kebab-case=kebab_case"
        " pascalcase=pascal_case=upper_camel_case screaming_snake_case=upper_snake_case flatcase"
        " hungarian_notation",
        "?name=names=naming=identifier=identifiers column=columns variable=variables=parameter"
        " function=functions=method file=files class=classes constant=constants key=keys field=fields"
        " table=tables route=routes=url test=tests endpoint=endpoints module=modules package=packages"
        " branch=branches property=properties event=events component=components folder=folders",
        "convention style follow use write",
    ),
    "indentation": Purpose(
        "tabs=tab=tab_characters=hard_tabs"
        " spaces=two_spaces=four_spaces=2_spaces=4_spaces=two-space=four-space=eight_spaces=8_spaces",
        "indent=indentation=indented=indents=indenting",
        "code use do done style",
    ),
    "line ends": Purpose(
        "lf=unix_line_endings crlf=windows_line_endings",
        "line=lines",
        "ending endings end use",
    ),
    "quotes": Purpose(
        "single_quotes=single_quote=single-quoted double_quotes=double_quote=double-quoted backticks",
        "string=strings=literals quote=quotes",
        "use write style enclose",
    ),
    "currency": Purpose(
        "us_dollars=usd=dollars=american_dollars euros=euro=eur swiss_francs=chf=francs"
        " british_pounds=gbp=pounds_sterling yen=jpy=japanese_yen canadian_dollars=cad australian_dollars=aud"
        " krona=sek=swedish_kronor danish_kroner=dkk norwegian_kroner=nok zloty=pln=złoty"
        " yuan=cny=rmb=renminbi rupees=inr",
        "currency amount=amounts=money price=prices=pricing=cost=costs invoice=invoices budget=budgets"
        " salary=salaries report=reports revenue billing fee=fees payment=payments",
        "give state show return bill quote store list money display express pay issue write calculate record",
    ),
    "log level": Purpose(
        "debug info=information warning=warn error=errors critical trace fatal notice",
        "log=logs=logging level=levels=verbosity",
        "set line lines write default run",
    ),
    "theme": Purpose(
        "dark=dark_mode=dark_theme light=light_mode=light_theme high_contrast",
        "theme=mode=appearance",
        "default start use open ship come",
    ),
    "visibility": Purpose(
        "public private internal",
        "visibility repository=repo=repos",
        "set new default create",
    ),
    "answers": Purpose(
        "bullet_points=bullets=bullet_lists full_prose=prose=full_sentences tables",
        "answer=answers=reply=replies=response=responses summary=summaries",
        "give write want short prefer",
    ),
    "protocol": Purpose(
        "rest=rest_api=restful_api graphql grpc soap trpc=trpc json-rpc websockets=websocket"
        " sse=server-sent_events mqtt long_polling=polling amqp webhooks=webhook http/2 thrift=apache_thrift"
        " odata opc_ua modbus coap stomp",
        "talk=talks communicate=communication api=apis=interface update=updates protocol=protocols call=calls"
        " message=messages internal notification=notifications data",
        "send go use service services run happen push pushed over live expose transport real-time realtime style",
    ),
    "file transfer": Purpose(
        "sftp ftp ftps rsync scp s3 webdav nfs=nfs_share smb=samba https email=e-mail as2 ebics",
        "transfer=transferred file=files upload=uploads deliver=delivery export=exports feed=feeds",
        "send exchange protocol share come arrive go pick",
    ),
    "authentication": Purpose(
        "basic_auth=basic_authentication=http_basic=http_basic_auth"
        " oauth=oauth2=oauth_2.0=oauth_2=oauth_client_credentials=oauth2_client_credentials"
        " jwt=jwts=jwt_tokens=json_web_tokens api_keys=api_key saml=saml_2.0 session_cookies=cookies=cookie"
        " mtls=mutual_tls=client_certificates ldap=active_directory openid_connect=oidc"
        " bearer_tokens=bearer_token passkeys=passkey=webauthn magic_links=magic_link kerberos"
        " hmac=hmac_signatures password=passwords ssh_keys personal_access_tokens",
        "authenticate=authenticates=authentication=auth=authenticated sign-in=login=log-in=logins=sign",
        "user users caller callers client clients request requests use method scheme handle do secure",
    ),
    "hashing": Purpose(
        "md5 bcrypt argon2 argon2id scrypt sha-1=sha1 sha-256=sha256 sha-512=sha512 pbkdf2 blake2=blake2b"
        " blake3 xxhash sha-3 crc32 murmurhash",
        "hash=hashes=hashing=hashed checksum=checksums",
        "password passwords algorithm function store use",
    ),
    "encryption": Purpose(
        "aes-128 aes-256=aes-256-gcm aes-192 chacha20=chacha20-poly1305 3des=triple_des rsa pgp=gpg luks"
        " bitlocker age veracrypt filevault blowfish twofish",
        "encrypt=encrypts=encryption=encrypted cipher",
        "algorithm use disk data rest",
    ),
    "signature": Purpose(
        "hs256 rs256 es256 eddsa=ed25519 ps256 hs512 rs512 es384 gpg ssh_keys sigstore=cosign",
        "sign=signs=signed=signing=signature=signatures",
        "algorithm use token tokens",
    ),
}
