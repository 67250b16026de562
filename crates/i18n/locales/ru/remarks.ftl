# What is remarked of a match. The English sentences, and which names each has, are in
# crates/domain/src/remark/sentences.rs.

## What the names leave open
remark-no-year = в именах нет года
remark-several-names = у названия несколько вариантов
remark-word-of-release = название кончается словом, какими описывают релизы
remark-several-years = в имени несколько лет
remark-tag-in-front = перед названием в имени стоит метка в скобках
remark-year-or-title = год в имени может быть частью названия
remark-group-or-title = первое слово может быть релиз-группой или частью названия
remark-no-title = название не найдено
remark-several-titles = у файлов разные названия
remark-years-differ = у файлов разные годы
remark-title-or-episode-name = слова после номера могут быть названием или именем серии
remark-several-unnumbered = несколько видео без номеров серий
remark-some-unnumbered = у одних видео номера серий есть, у других нет
remark-part-of-film = это часть фильма
remark-several-videos = видео несколько
remark-told-by-date = серия обозначена датой
remark-absolute-alone = у серии есть только сквозной номер
remark-no-season-or-episode = у видео нет сезона или серии
remark-several-seasons = у видео несколько сезонов
remark-many-episodes = у видео больше 20 серий
remark-absolute-or-season = число может быть сквозным номером или сезоном с серией
remark-fractional-episode = у серии дробный номер: нужны сезон и серия
remark-unnumbered-special = у спецвыпуска нет своего сезона или серии
remark-episode-twice = два файла содержат одну и ту же серию
remark-part-beside-number = рядом с номером серии указана её часть
remark-part-by-letter = часть серии обозначена буквой
remark-part-counted-beside = части серии пронумерованы отдельно от её номера
remark-numbers-backwards = номера серий идут в обратном порядке
remark-long-range = диапазон номеров серий слишком велик
remark-torrent-says-series = имя торрента говорит о сериале, а его файлы — о фильме
remark-folder-other-season = у папки другой сезон, чем у файла в ней
remark-folder-says-season = папка говорит о сезоне, а файл в ней — о фильме
remark-folder-other-year = у папки другой год, чем у файла в ней
remark-folder-other-title = у папки другое название, чем у файлов
remark-season-without-episode = указан сезон, но не серия
remark-files-unknown = файлы ещё не известны
remark-hint-other-kind = подсказка называет другой вид, чем имена
remark-hint-other-year = подсказка называет другой год, чем имена
remark-hint-other-season = подсказка называет другой сезон, чем имена

## What is in the torrent
remark-carries-program = внутри программа или приманка (.{ $extension })
remark-is-disc = это диск
remark-partly-packed = часть содержимого упакована в архив
remark-packed = содержимое упаковано в архив
remark-only-sample = единственное видео — сэмпл
remark-no-video = внутри нет видео
remark-only-pictures = это не для библиотеки: картинки
remark-only-software = это не для библиотеки: программы
remark-only-books = это не для библиотеки: книги
remark-only-music = это не для библиотеки: музыка
remark-nothing-to-link = внутри нет видео, на которое можно сделать ссылку

## The title of a work
remark-title-russian = название совпадает с русским
remark-title-cyrillic = название совпадает с вариантом на кириллице
remark-title-original = название совпадает с оригинальным
remark-title-same = название совпадает
remark-title-further = название совпадает с одним из дополнительных
remark-title-close = название похоже на «{ $name }» ({ $likeness } %)
remark-title-subtitle = название отличается от «{ $name }» подзаголовком
remark-title-number = название отличается от «{ $name }» номером
remark-title-other = другое название

## Its year
remark-year-same = год произведения — { $ours }
remark-year-off = { $ours } отличается на год: у источника { $theirs }
remark-year-of-season = { $ours } может быть годом сезона; начало — { $theirs }
remark-year-of-later-season = { $ours } может быть годом более позднего сезона; начало — { $theirs }
remark-year-not-named = в именах нет года; год произведения — { $theirs }
remark-year-not-known = источник не называет год
remark-year-other = другой год: { $theirs }, а не { $ours }

## Its kind
remark-kind-film = фильм, как и в именах
remark-kind-series = сериал, как и в именах
remark-kind-animated = анимационный сериал
remark-kind-not-animated = сериал, но источник не называет его анимационным
remark-kind-film-unsaid = фильм; из имён вид не ясен
remark-kind-series-unsaid = сериал; из имён вид не ясен
remark-kind-series-not-film = сериал, а не фильм
remark-kind-film-not-series = фильм, а не сериал
remark-kind-neither = имена не говорят ни о фильме, ни о сериале

## Its episodes, and how well known it is
remark-seasons-not-known = сезоны произведения не известны
remark-episodes-not-named = в именах нет серий
remark-episode-between = серия { $number } стоит между двумя сериями
remark-season-not-named =
    { $seasons ->
        [one] в именах нет сезона, а у произведения { $seasons } сезон
        [few] в именах нет сезона, а у произведения { $seasons } сезона
        [many] в именах нет сезона, а у произведения { $seasons } сезонов
       *[other] в именах нет сезона, а у произведения { $seasons } сезона
    }
remark-no-specials = источник не знает спецвыпусков произведения
remark-no-such-season = источник не знает сезона { $season } у произведения
remark-season-is-shorter =
    { $episodes ->
        [one] в сезоне { $season } всего { $episodes } серия, а файлы доходят до номера { $last }
        [few] в сезоне { $season } всего { $episodes } серии, а файлы доходят до номера { $last }
        [many] в сезоне { $season } всего { $episodes } серий, а файлы доходят до номера { $last }
       *[other] в сезоне { $season } всего { $episodes } серии, а файлы доходят до номера { $last }
    }
remark-episodes-fit = у произведения есть эти сезоны и серии
remark-number-has-no-place =
    { $episodes ->
        [one] номеру { $number } нет места: у произведения { $episodes } серия
        [few] номеру { $number } нет места: у произведения { $episodes } серии
        [many] номеру { $number } нет места: у произведения { $episodes } серий
       *[other] номеру { $number } нет места: у произведения { $episodes } серии
    }
remark-counts-through = номера идут сквозь сезоны произведения
remark-may-count-through = номер { $number } может быть сквозным или номером внутри сезона
remark-other-episode-count =
    { $episodes ->
        [one] число серий по именам — { $named }, а в сезоне { $season } { $episodes } серия
        [few] число серий по именам — { $named }, а в сезоне { $season } { $episodes } серии
        [many] число серий по именам — { $named }, а в сезоне { $season } { $episodes } серий
       *[other] число серий по именам — { $named }, а в сезоне { $season } { $episodes } серии
    }
remark-seasons-not-known-for-numbers = сезоны произведения не известны, поэтому номерам нет места
remark-numbers-do-not-fit =
    { $episodes ->
        [one] номера файлов не ложатся на { $episodes } серию произведения
        [few] номера файлов не ложатся на { $episodes } серии произведения
        [many] номера файлов не ложатся на { $episodes } серий произведения
       *[other] номера файлов не ложатся на { $episodes } серии произведения
    }
remark-popularity = популярность { $percent } из 100

## Which work it is
remark-no-such-work = источники не знают такого произведения
remark-only-other-works = источники нашли только другие произведения: { $reason }
remark-not-plain = по именам не понять точно, что это
remark-films-of-one-name = в именах нет года, а одноимённых фильмов много
remark-several-works = так называется несколько произведений, и без года не понять, какое имеется в виду
remark-no-year-nor-seasons = ни год, ни сезоны произведения его не подтверждают
remark-film-or-series = по именам не понять, фильм это или сериал
remark-not-animated = имена говорят об аниме, а источник не называет произведение анимационным
remark-same-title-and-year = у другого произведения те же название и год: { $work }
remark-rival = «{ $title }» подходит почти так же: { $work }
remark-rival-of-year = «{ $title }» ({ $year }) подходит почти так же: { $work }
remark-several-of-pin = под { $pin } известно несколько произведений: выберите одно из найденных

## What people said and decided
remark-several-for-one-film = на один фильм несколько видео: задайте file.<index>.part или file.<index>.skip
remark-numbers-missing = у видео нет сезона или серии: задайте season или file.{ $index }.season и file.{ $index }.episodes
remark-no-such-file = { $field } относится к файлу, которого нет в торренте: отмените эту правку
remark-no-video-file = { $field } включает файл, который не видео и не субтитры: отмените эту правку
remark-offset-below-zero = сдвиг { $offset } увёл бы серию { $episode } ниже 0: задайте сдвиг, который подходит всем файлам
remark-season-of-absolute = при сквозной нумерации сезон ни на что не влияет: отмените одно из двух
remark-unknown-field = поля { $field } нет: возьмите одно из { $fields }
remark-value-does-not-fit = «{ $value }» не подходит для { $field }; подходит { $expected }
remark-expect-title = название в одну строку, не длиннее 300 знаков, хотя бы с одной буквой или цифрой
remark-expect-year = год от 1870 до 2199
remark-expect-kind = movie, series, anime или other
remark-expect-season = целое число до 9999; 0 — спецвыпуски
remark-expect-offset = целое число, например 12 или -12
remark-expect-numbering = aired или absolute
remark-expect-edition = слова через запятую, например extended или directors, а для отсутствия издания — ничего
remark-expect-library = имя библиотеки
remark-expect-work = произведение, например tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093, или адрес его страницы
remark-expect-episodes = числа и диапазоны, например 1, 1-3 или 1,3
remark-expect-part = целое число от 1 до 99
remark-expect-yes-or-no = true или false
remark-shift-by-nothing = введите целое число, кроме 0, например 12 или -12
remark-nothing-to-shift = ни у одного файла нет номера серии
remark-shift-too-far = сдвиг { $by } вывел бы серию { $episode } за пределы от 0 до { $highest }, поэтому ничего не сдвинуто
remark-name-not-typed = чтобы удалить данные, введите название загрузки, как оно указано у поля
remark-nothing-is-left = ни один из её файлов связать нельзя; в плане у каждого сказано почему
remark-accept-first = сначала примите совпадение
remark-rejected-before = совпадение было отклонено: примите это или укажите, что это на самом деле
remark-asked-for-title = вы просили спрашивать об этом произведении
remark-asked-for-download = вы просили спрашивать об этой загрузке
remark-look-again = имена приняли до того, как стал известен список файлов; проверьте и примите совпадение снова или укажите, что это
remark-says-otherwise = до того как стал известен список файлов, приняли { $before }, а вместе с ним имена говорят { $now }: примите совпадение или укажите, что это
remark-read-as = «{ $title }» ({ $year }, { $kind })
remark-read-as-of-year = «{ $title }» ({ $year })
remark-read-as-of-kind = «{ $title }» (без года, { $kind })
remark-read-as-title = «{ $title }» (без года)

## Sources that have to answer
remark-source-denies = { $source } не принимает токен: задайте tmdb_token в [metadata] заново и перезапустите tracker
remark-source-is-limited = { $source } пока больше нельзя спрашивать; вопрос повторится сам
remark-source-unreachable = { $source } не отвечает; вопрос повторится сам
remark-source-unreadable = ответ { $source } не удалось разобрать; вопрос повторится сам
remark-source-has-none = у { $source } нет такого произведения
remark-source-lacks-pin = у { $source } нет { $pin }: укажите другое произведение или отмените выбор
remark-no-tmdb-for = источник, который знает { $pin }, не используется: задайте tmdb_token в [metadata] и перезапустите tracker или отмените выбор
remark-no-tvmaze-for = источник, который знает { $pin }, не используется: задайте tvmaze = true в [metadata] и перезапустите tracker или отмените выбор
